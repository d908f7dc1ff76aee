import { groupBy } from "./group.ts";
import type { Resend } from "./resend.ts";
import { camelCase, commonOptions, forbiddenMethodParts, methodPart, pascalCase, wordsOf } from "./names.ts";
import type { Operation } from "./operation.ts";

/** Whether a request may be sent again, by its HTTP method: RFC 9110, section 9.2.2, and that of QUERY. */
export function deriveResend(method: string, isKeyed = false): Resend {
  if (/^(get|put|delete|options|head|trace|query)$/.test(method)) return "always";
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
  /** The group and the method without what the operationId says twice. It gives way to all other names. */
  short: readonly string[] | undefined;
  /** Why the name is not made of the operationId, or is not shorter. */
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
      const parts = typeof id === "string" ? id.split(/[./]/).filter(hasLetters) : [];
      const without = typeof id === "string" ? "the operationId has no letters for a name" : "no operationId";
      const short = parts.length > 0 ? shortName(operation, String(id)) : undefined;
      return { operation, parts, short, why: parts.length > 0 ? "" : without, isGroup: false, number: 1 };
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
  const byType = groupBy(named, ({ name }) => pascalCase(name));
  const groups = new Set(
    named.flatMap(({ name }) => [...name.split(".").keys()].map((depth) => name.split(".").slice(0, depth).join("."))),
  );
  let isChanged = false;
  for (const all of byType.values()) {
    const [first, second, ...more] = all;
    const fromId = all.flatMap(({ draft }) => (draft && draft.parts.length > 0 ? draft : []));
    const isShort = fromId.some(({ short }) => short !== undefined);
    for (const [index, { draft, name }] of all.entries()) {
      if (draft === undefined) continue;
      if (first && second && fromId.includes(draft)) {
        if (isShort && draft.short === undefined) continue;
        const [one, other] = [placeOf(first.operation), placeOf(second.operation)];
        const places =
          more.length === 0 ? `${one} and ${other} would both` : `${one}, ${other} and ${more.length} more would`;
        const given = isShort ? { short: undefined } : { parts: [], isGroup: false };
        Object.assign(draft, { ...given, why: `${places} be ${name}` });
      } else if (first && second && fromId.length === 0 && index > 0) draft.number += index;
      else if (groups.has(name) && draft.short) Object.assign(draft, { short: undefined, why: `${name} is a group` });
      else if (groups.has(name) && draft.isGroup) draft.number++;
      else if (groups.has(name)) draft.isGroup = true;
      else continue;
      isChanged = true;
    }
  }
  return isChanged;
}

function methodOf({ operation, parts, short, why, isGroup, number }: Draft): DerivedMethod {
  const { key, path, node } = operation;
  const tag = parts.length > 1 ? undefined : tagOf(operation);
  const long = [...(tag === undefined ? [] : [tag]), ...(parts.length > 0 ? parts : pathParts(key, path, tag))];
  const written = short ?? long;
  const names = written.map((part) => (isFree(part) ? camelCase(part) : key + pascalCase(part)));
  const last = names.pop() ?? "";
  const verb = `${isGroup ? key + pascalCase(last) : last}${number > 1 ? number : ""}`;
  const id = `operationId ${String(node["operationId"])}${tag === undefined ? "" : ` and tag ${tag}`}`;
  const because = why === "" ? "" : ` (${why})`;
  const reasons = [
    `method from ${parts.length > 0 ? id : tag === undefined ? "path" : "tag and path"}${because}`,
    ...(short ? ["without what they say twice"] : []),
    ...written.filter((part) => !isFree(part)).map((part) => `verb in front because ${part} cannot be a name`),
    ...(isGroup ? [`verb in front because ${[...names, last].join(".")} is a group`] : []),
    ...(number > 1 ? ["number because of equal names"] : []),
  ];
  return { name: [...names, verb].join("."), reason: reasons.join(", ") };
}

/** The tag whose name the group has. */
function tagOf({ tags }: Operation): string | undefined {
  return tags.slice(0, 1).find(hasLetters);
}

function hasLetters(text: string): boolean {
  return camelCase(text) !== "";
}

/** A date in front of a name, as in `Api20100401Message`. */
const date = /^(?:api|v)?[ _-]*(?:19|20)\d\d[_-]?\d\d[_-]?\d\d[ _-]*(?=[a-z])/i;

/**
 * The group and the method without what frameworks write twice: path and verb behind the name of a function (FastAPI), the
 * word Controller, a date, and the noun of the group. Undefined if that is all, or cannot be a name.
 */
function shortName(operation: Operation, id: string): string[] | undefined {
  const { key, path } = operation;
  const groupOf = (written: string): string => {
    const noun = written.replace(date, "").replace(/(?<=\w)[ _-]?controller$/i, "");
    if (!date.test(written)) return noun;
    // The path has its plural.
    return path.split(/[/.{}]/).find((segment) => isSameNoun(wordsOf(segment), wordsOf(noun))) ?? noun;
  };
  const tag = tagOf(operation);
  const whole = wordsOf(id);
  const place = wordsOf(`${path} ${key}`);
  const own = whole.slice(0, -place.length);
  let short: string[];
  if (own.length > 0 && whole.slice(own.length).join(" ").toLowerCase() === place.join(" ").toLowerCase()) {
    const noun = path.split("/").find((one) => hasLetters(one) && !/[{}]|^(?:api|v\d+)$/i.test(one));
    const isSaid = tag === undefined && (noun === undefined || camelCase(noun) === camelCase(own.join(" ")));
    short = [...(isSaid ? [] : [groupOf(tag ?? noun ?? "")]), own.join(" ")];
  } else {
    const parts = id.split(/[./]|(?<=\wController)(?:_|(?=[A-Z]))/).filter(hasLetters);
    const last = parts.pop() ?? "";
    const groups = (parts.length > 0 ? parts : tag === undefined ? [] : [tag]).map(groupOf);
    short = [...groups, withoutNoun(last, wordsOf(groups.at(-1) ?? ""))];
    const long = [...(/[./]/.test(id) || tag === undefined ? [] : [tag]), ...id.split(/[./]/).filter(hasLetters)];
    if (short.map(camelCase).join(".") === long.map(camelCase).join(".")) return undefined;
  }
  return short.every(isFree) ? short : undefined;
}

/** `createEmbedding` is `create` in the group `embeddings`, and `users_list` is `list` in `users`. */
function withoutNoun(verb: string, group: readonly string[]): string {
  const words = wordsOf(verb);
  if (group.length === 0) return verb;
  const behind = words[1]?.toLowerCase() === "all" ? 2 : 1;
  const isFirst =
    words.length > group.length && pascalCase(group.join(" ")) === pascalCase(words.slice(0, group.length).join(" "));
  const at = isFirst ? 0 : behind;
  const isSaid = isFirst || isSameNoun(words.slice(at, at + group.length), group);
  return isSaid ? words.toSpliced(at, group.length).join(" ") : verb;
}

/** Whether two nouns are equal, or one is the plural of the other. */
function isSameNoun(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [one.join(" ").toLowerCase(), other.join(" ").toLowerCase()];
  const forms = (noun: string): string[] => [noun, `${noun}s`, `${noun}es`, noun.replace(/y$/, "ies")];
  return a !== "" && b !== "" && (forms(a).includes(b) || forms(b).includes(a));
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
