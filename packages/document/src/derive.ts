import type { Resend } from "./resend.ts";
import { camelCase, commonOptions, forbiddenMethodParts, methodPart, pascalCase } from "./names.ts";
import type { Operation } from "./operation.ts";

/** Whether a request may be sent again, by its HTTP method: RFC 9110, section 9.2.2. */
export function deriveResend(method: string, isKeyed = false): Resend {
  if (method !== "post" && method !== "patch") return "always";
  return isKeyed ? "with-key" : "never";
}

/** A method that the document does not name, and what its name is made of. */
interface DerivedMethod {
  readonly name: string;
  readonly reason: string;
}

/** An operation, and what its name has given up because of others. */
interface Draft {
  readonly operation: Operation;
  /** The parts of the operationId; empty if the name is made of tag, verb and path. */
  parts: readonly string[];
  /** Why the name is not made of the operationId. */
  why: string;
  /** Whether its name is also that of a group. */
  isGroup: boolean;
  /** Written behind the name, except 1. */
  number: number;
}

/**
 * Names the methods of operations that have no name and are no aliases: by their operationId, else by tag, verb and path. No
 * name depends on the order of the operations.
 */
export function deriveMethods(operations: readonly Operation[]): ReadonlyMap<Operation, DerivedMethod> {
  const sorted = operations.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const declared = sorted.filter(({ clientMethod }) => clientMethod !== undefined);
  const drafts = sorted
    .filter(({ clientMethod, aliasOf }) => clientMethod === undefined && aliasOf === undefined)
    .map((operation): Draft => {
      const id = operation.node["operationId"];
      const parts = typeof id === "string" ? id.split(/[./]/).filter((part) => camelCase(part) !== "") : [];
      const why = typeof id === "string" ? "the operationId has no letters for a name" : "no operationId";
      return { operation, parts, why, isGroup: false, number: 1 };
    });
  let methods: Map<Draft, DerivedMethod>;
  do methods = new Map(drafts.map((draft) => [draft, methodOf(draft)]));
  while (giveUp(declared, methods));
  return new Map([...methods].map(([{ operation }, method]) => [operation, method]));
}

/** Changes the drafts whose names conflict; false if there are none. */
function giveUp(declared: readonly Operation[], methods: ReadonlyMap<Draft, DerivedMethod>): boolean {
  const named = [
    ...declared.map((operation) => ({ operation, name: operation.name, draft: undefined })),
    ...[...methods].map(([draft, { name }]) => ({ operation: draft.operation, name, draft })),
  ];
  // Two methods also conflict if the names of their types do.
  const byType = new Map<string, typeof named>();
  const groups = new Set<string>();
  for (const one of named) {
    const type = pascalCase(one.name);
    byType.set(type, [...(byType.get(type) ?? []), one]);
    const parts = one.name.split(".");
    for (const depth of parts.keys()) groups.add(parts.slice(0, depth).join("."));
  }
  let isChanged = false;
  for (const all of byType.values()) {
    const [first, second, ...more] = all;
    const fromId = all.flatMap(({ draft }) => (draft && draft.parts.length > 0 ? draft : []));
    for (const [index, { draft, name }] of all.entries()) {
      if (draft === undefined) continue;
      if (first && second && fromId.includes(draft)) {
        const [one, other] = [placeOf(first.operation), placeOf(second.operation)];
        const places =
          more.length === 0 ? `${one} and ${other} would both` : `${one}, ${other} and ${more.length} more would`;
        Object.assign(draft, { parts: [], why: `${places} be ${name}`, isGroup: false });
      } else if (first && second && fromId.length === 0 && index > 0) draft.number += index;
      else if (groups.has(name) && draft.isGroup) draft.number++;
      else if (groups.has(name)) draft.isGroup = true;
      else continue;
      isChanged = true;
    }
  }
  return isChanged;
}

function methodOf({ operation, parts, why, isGroup, number }: Draft): DerivedMethod {
  const { key, path, node } = operation;
  const tag = parts.length > 1 ? undefined : operation.tags.slice(0, 1).find((one) => camelCase(one) !== "");
  const written = [...(tag === undefined ? [] : [tag]), ...(parts.length > 0 ? parts : pathParts(key, path, tag))];
  const names = written.map((part) => (isFree(part) ? camelCase(part) : key + pascalCase(part)));
  const last = names.pop() ?? "";
  const verb = `${isGroup ? key + pascalCase(last) : last}${number > 1 ? number : ""}`;
  const id = `operationId ${String(node["operationId"])}${tag === undefined ? "" : ` and tag ${tag}`}`;
  const reasons = [
    `method from ${parts.length > 0 ? id : `${tag === undefined ? "path" : "tag and path"} (${why})`}`,
    ...written.filter((part) => !isFree(part)).map((part) => `verb in front because ${part} cannot be a name`),
    ...(isGroup ? [`verb in front because ${[...names, last].join(".")} is a group`] : []),
    ...(number > 1 ? ["number because of equal names"] : []),
  ];
  return { name: [...names, verb].join("."), reason: reasons.join(", ") };
}

/** The group, if there is no tag, and the method: its verb, the other segments, and parameters as `By…`. */
function pathParts(verb: string, path: string, tag: string | undefined): string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  const group = segments.slice(0, 1).find((segment) => !segment.includes("{") && camelCase(segment) !== "");
  const isNamed = group !== undefined && (tag === undefined || camelCase(tag) === camelCase(group));
  const others = segments.slice(isNamed ? 1 : 0).join("/");
  const method = verb + pascalCase(others.replaceAll(/\{([^{}]*)\}/g, " by $1 "));
  return tag === undefined && group !== undefined ? [group, method] : [method];
}

/** Whether a part of a name can be a part of a method's name. */
function isFree(part: string): boolean {
  const name = camelCase(part);
  return methodPart.test(name) && !forbiddenMethodParts.has(name) && !forbiddenMethodParts.has(part);
}

function placeOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** A name of a schema's type, if it is not that of the component, and why. */
export interface DerivedSchemaName {
  readonly name: string;
  /** `has the name of a type of TypeScript itself`. */
  readonly reason: string;
}

/**
 * Names the types of component schemas whose own names are no identifiers or are reserved: the parts in camel case, then
 * `Schema`. No name depends on the order of the components.
 *
 * @param reserved names of other types, each with the reason as a predicate
 */
export function deriveSchemaNames(
  components: readonly string[],
  reserved: ReadonlyMap<string, string>,
): ReadonlyMap<string, DerivedSchemaName> {
  const reasonOf = (name: string): string | undefined =>
    /^[A-Za-z_]\w*$/.test(name) ? reserved.get(name) : "is no identifier";
  const taken = new Set([...reserved.keys(), ...components]);
  const derived = components.toSorted().flatMap((component): [string, DerivedSchemaName][] => {
    const reason = reasonOf(component);
    if (reason === undefined) return [];
    const pascal = pascalCase(component);
    const stem = /^[A-Z]/.test(pascal) ? `${pascal}Schema` : `Schema${pascal}`;
    let name = stem;
    for (let number = 2; taken.has(name); number++) name = `${stem}${number}`;
    taken.add(name);
    return [[component, { name, reason }]];
  });
  return new Map(derived);
}

/**
 * Names the client options of security schemes, by the names of their components: in camel case. No name depends on the order
 * of the components.
 */
export function deriveOptionNames(components: readonly string[]): ReadonlyMap<string, string> {
  const isOption = (name: string): boolean => methodPart.test(name) && !commonOptions.has(name) && isFree(name);
  const names = new Map(components.filter(isOption).map((component) => [component, component]));
  const taken = new Set(names.keys());
  for (const component of components.toSorted()) {
    if (names.has(component)) continue;
    const camel = camelCase(component);
    const stem = isOption(camel) ? camel : methodPart.test(camel) ? `${camel}Key` : `key${pascalCase(component)}`;
    let name = stem;
    for (let number = 2; taken.has(name) || !isOption(name); number++) name = `${stem}${number}`;
    taken.add(name);
    names.set(component, name);
  }
  return names;
}
