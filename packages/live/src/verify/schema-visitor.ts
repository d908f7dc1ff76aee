import { isObject, joinPointer, type JsonObject, type Loc } from "@trainyard/core/validation";
import { dialect, locate, locateIn, schemaName, type Located } from "@trainyard/document";
import type { Validator } from "@trainyard/host/validator";

/** A value and a schema that describes it. */
export interface Value {
  readonly loc: Loc;
  readonly value: unknown;
  readonly schema: Located;
  /** Whether the value, or one around it, is sensitive. */
  readonly sensitive: boolean;
}

/** What a visit needs of a document. */
export interface Visited {
  readonly root: object;
  readonly validator: Validator;
}

/** Every value within a value, with each schema that describes it. For a union, that is the matching member. */
export function visit({ root, validator }: Visited, pointer: string, value: unknown): Value[] {
  const all: Value[] = [];
  const enter = (at: string, one: unknown, loc: Loc, around: boolean): void => {
    const { schema, hidden } = lookUp(root, at);
    const sensitive = around || hidden;
    all.push({ loc, value: one, schema, sensitive });
    const { node } = schema;
    const below = (keys: (string | number)[], next: unknown, step?: string | number): void =>
      enter(joinPointer(schema.pointer, ...keys), next, step === undefined ? loc : [...loc, step], sensitive);
    for (const [index] of [node["allOf"] ?? []].flat().entries()) below(["allOf", index], one);
    for (const key of ["oneOf", "anyOf"] as const) {
      const meant = Array.isArray(node[key]) ? memberOf({ root, validator }, schema, key, one) : undefined;
      if (meant !== undefined) below([key, meant], one);
    }
    if (Array.isArray(one) && isObject(node["items"])) {
      for (const [index, item] of one.entries()) below(["items"], item, index);
    }
    if (!isObject(one)) return;
    const properties = isObject(node["properties"]) ? node["properties"] : {};
    for (const [key, member] of Object.entries(one)) {
      if (Object.hasOwn(properties, key)) below(["properties", key], member, key);
      else if (isObject(node["additionalProperties"])) below(["additionalProperties"], member, key);
    }
  };
  enter(pointer, value, [], false);
  return all;
}

/** Schemas by pointer, because every response needs the same few. */
const lookedUp = new WeakMap<object, Map<string, LookedUp>>();

interface LookedUp extends Pick<Value, "schema"> {
  /** Whether a value there is sensitive. */
  readonly hidden: boolean;
}

function lookUp(root: object, pointer: string): LookedUp {
  const ofRoot = lookedUp.get(root) ?? new Map<string, LookedUp>();
  lookedUp.set(root, ofRoot);
  const before = ofRoot.get(pointer);
  if (before !== undefined) return before;
  const schema = locate(root, pointer);
  const hidden = dialect.sensitive.read(schema.node) || dialect.sensitive.read(locateWritten(root, pointer));
  const found = { schema, hidden };
  ofRoot.set(pointer, found);
  return found;
}

/** The object at a pointer itself. It may be a reference, which may have further keys beside it. */
function locateWritten(root: object, pointer: string): JsonObject {
  const end = pointer.lastIndexOf("/");
  const holder = locate(root, pointer.slice(0, end));
  const key = decodeURIComponent(pointer.slice(end + 1))
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  const node = Array.isArray(holder.node) ? undefined : holder.node[key];
  return isObject(node) ? node : {};
}

/** The member of a union that a value matches. Undefined if none does, such as for an unlisted variant of an open union. */
function memberOf(
  { root, validator }: Visited,
  union: Located,
  key: "oneOf" | "anyOf",
  value: unknown,
): number | undefined {
  const members = [union.node[key]].flat().map((_, index) => ({ index, schema: locateIn(root, union, key, index) }));
  const fitting = members.filter(({ schema }) => fitsKind(schema.node, value));
  const tagged = fitting.filter(({ schema }) => fitsTags(root, schema, value));
  if (tagged.length <= 1) return tagged[0]?.index;
  const valid = tagged.find(({ schema }) => {
    // The validator has only components under their own names.
    return schemaName(schema.pointer) === undefined || validator.at(schema.pointer, value).length === 0;
  });
  return (valid ?? tagged[0])?.index;
}

function fitsKind(node: JsonObject, value: unknown): boolean {
  const types = [node["type"] ?? []].flat();
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.length === 0 || types.includes(kind) || (Number.isInteger(value) && types.includes("integer"));
}

function fitsTags(root: object, schema: Located, value: unknown): boolean {
  if (!isObject(value)) return true;
  const properties = isObject(schema.node["properties"]) ? schema.node["properties"] : {};
  return Object.keys(properties).every((name) => {
    const { node } = locateIn(root, schema, "properties", name);
    return !("const" in node) || !(name in value) || value[name] === node["const"];
  });
}

/** The pointer of the schema for a location, or of the nearest location around it. */
export function pointerAt(root: object, values: readonly Value[], loc: Loc): string | undefined {
  for (let length = loc.length; length >= 0; length--) {
    const here = values.filter(
      (one) => one.loc.length === length && one.loc.every((step, index) => step === loc[index]),
    );
    if (here.length === 0) continue;
    const missing = loc[length];
    for (const { schema } of here.toReversed()) {
      const properties = schema.node["properties"];
      if (missing !== undefined && isObject(properties) && Object.hasOwn(properties, missing))
        return joinPointer(schema.pointer, "properties", missing);
    }
    return here.at(-1)?.schema.pointer;
  }
  return undefined;
}
