import {
  hasType,
  memberAt,
  pointerTokens,
  resolvePointer,
  type JsonObject,
  type Loc,
} from "@trainyard/core/validation";
import {
  branchesOf,
  isAbsent,
  keysBelow,
  listed,
  locateIn,
  schemaKeywords,
  together,
  typeOfKeyword,
  unions,
  type Direction,
  type Enter,
  type Located,
} from "@trainyard/document";
import { patternText, patternTexts } from "./pattern-text.ts";

/** A caller's schema of which no value is made, with the path of the part that prevents it. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  readonly path: Readonly<Loc>;

  /** @param message a sentence */
  constructor(path: Readonly<Loc>, message: string) {
    super(message);
    this.path = path;
  }
}

/**
 * The steps that making values may still take. A step is one schema, member, item or choice that is looked at, or one
 * character of a pattern.
 */
export interface Budget {
  steps: number;
}

/** At most so many of some values. */
export function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  let count = 0;
  for (const value of values)
    if (count++ < most) yield value;
    else return;
}

const formats = new Map(
  Object.entries({
    byte: "YWJj",
    date: "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "iso-date-time": "2026-01-01T00:00:00Z",
    duration: "PT1H",
    email: "name@example.com",
    hostname: "example.com",
    ipv4: "127.0.0.1",
    ipv6: "::1",
    "iso-time": "00:00:00Z",
    "json-pointer": "/a",
    "json-pointer-uri-fragment": "#/a",
    regex: "^a",
    "relative-json-pointer": "0",
    time: "00:00:00Z",
    uri: "https://example.com",
    "uri-reference": "/a",
    "uri-template": "/{a}",
    url: "https://example.com",
    uuid: "00000000-0000-4000-8000-000000000000",
  }),
);

/** The most objects and lists of one value. Further ones have only what they must. */
const most = 500;
/** The longest text and list. */
const longest = 1000;
/** The most unions, or objects and lists, within each other. */
const deepest = 100;
/** The keywords whose members are looked at, one by one. */
const counted = [...schemaKeywords.lists, "enum", "examples", "properties", "required", "type"];

/** Makes values by schemas of a document. */
export class Sampler {
  readonly #root: object;
  readonly #word: string;
  /** Undefined for a value that goes nowhere. */
  readonly #direction: Direction | undefined;
  /** Undefined for a document of our own. */
  readonly #budget: Budget | undefined;
  readonly #random: () => number;
  #made = 0;
  #depth = 0;
  readonly #enter: Enter = (...place) => this.#part(...place);
  /** The first part without a value. */
  #failed: Located | undefined;

  constructor(root: object, to: { word: string; direction?: Direction }, budget?: Budget, random = () => 0) {
    this.#root = root;
    this.#word = to.word;
    this.#direction = to.direction;
    this.#budget = budget;
    this.#random = random;
  }

  /** A value of the root. */
  value(isWhole: boolean): unknown {
    this.#made = 0;
    this.#depth = 0;
    this.#failed = undefined;
    const root = this.#part({ node: Object(this.#root), pointer: "#" });
    const value = this.#first([root], isWhole, []);
    if (value !== undefined) return value;
    throw this.#error(this.#failed ?? root, "allows no value that can be made of it");
  }

  /** A value of these schemas, if one is found. */
  #first(schemas: readonly Located[], isWhole: boolean, around: readonly string[]): unknown {
    const [value] = this.values(schemas, isWhole, around);
    if (value === undefined) this.#failed ??= schemas[0];
    return value;
  }

  /** A part of a schema, or the target of its reference. */
  #part(from: Located, ...keys: readonly (string | number)[]): Located {
    const found = locateIn(this.#root, from, ...keys);
    // Paths are as long as the names in them.
    this.#spend(1 + Math.floor(found.pointer.length / 100), from);
    if (this.#budget !== undefined && resolvePointer(this.#root, found.pointer) === undefined)
      throw this.#error(from, `refers to ${found.pointer.slice(0, 100)}, which is not in it`);
    return found;
  }

  #error({ pointer }: Located, fault: string): SchemaError {
    const path = pointerTokens(pointer);
    return new SchemaError(path, `The schema${path.length > 0 ? ` at ${path.join(".").slice(0, 200)}` : ""} ${fault}.`);
  }

  #spend(steps: number, at: Located | undefined): void {
    if (this.#budget === undefined || at === undefined) return;
    this.#budget.steps -= steps;
    if (this.#budget.steps < 0) throw this.#error(at, "takes too many steps to make a value of. Simplify it");
  }

  /** The schemas of a part of a value, in all branches. */
  at(schema: Located, path: Loc): readonly Located[] {
    let here: readonly Located[] = [schema];
    for (const step of path) here = branchesOf(this.#root, here).flatMap((one) => this.#below(one, step));
    return here;
  }

  #below(schema: Located, step: string | number): Located[] {
    const keys = keysBelow(schema.node, step);
    return keys ? [this.#part(schema, ...keys)] : [];
  }

  /**
   * Values that all of these schemas suggest, the most telling first.
   *
   * @param chosen the unions of which a branch is among the schemas
   */
  *values(
    schemas: readonly Located[],
    isWhole: boolean,
    around: readonly string[] = [],
    chosen: readonly string[] = [],
  ): Generator {
    const all = this.#together(schemas);
    const nodes = all.map(({ node }) => node);
    const types = typesOf(nodes);
    const isTyped = (value: unknown) => value !== undefined && types.some((type) => hasType(value, type));
    for (const node of nodes) {
      const shown: unknown[] = [node["examples"] ?? [], [node["default"]], node["enum"] ?? []].flat();
      const usual = [node["example"], node["const"], ...this.#turned(shown.filter(isTyped)).slice(0, 20)];
      yield* usual.filter((one) => one !== null && isTyped(one));
    }
    const closed = nodes.filter((node) => "const" in node || Array.isArray(node["enum"]));
    if (closed.length > 0) {
      if (closed.every((node) => [node["const"], node["enum"]].flat().includes(null)) && isTyped(null)) yield null;
      return;
    }
    const union = all
      .flatMap((schema) => unions.map((key) => ({ schema, key, name: `${key} ${schema.pointer}` })))
      .find(({ schema: { node }, key, name }) => [node[key] ?? []].flat().length > 0 && !chosen.includes(name));
    if (union !== undefined) {
      if (chosen.length > deepest) return;
      const branches = this.#turned(listed(union.schema, union.key, this.#enter));
      // Null, and what would repeat without end, are the last choices.
      const rank = ({ node, pointer }: Located) => (around.includes(pointer) ? 2 : node["type"] === "null" ? 1 : 0);
      for (const branch of branches.toSorted((a, b) => rank(a) - rank(b)))
        yield* this.values([...all, branch], isWhole, around, [...chosen, union.name]);
      return;
    }
    for (const type of this.#turned(types).toSorted(nullLast)) yield* this.#ofType(type, all, nodes, isWhole, around);
  }

  /** A list that starts at a random place. */
  #turned<T>(list: readonly T[]): T[] {
    const at = Math.floor(this.#random() * list.length);
    return [...list.slice(at), ...list.slice(0, at)];
  }

  /** Schemas, and what they demand of the same value. */
  #together(schemas: readonly Located[]): Located[] {
    const found = together(schemas, this.#enter);
    if (this.#budget !== undefined)
      for (const one of found) for (const key of counted) this.#spend(Object.keys(Object(one.node[key])).length, one);
    return found;
  }

  *#ofType(
    type: string,
    all: readonly Located[],
    nodes: readonly JsonObject[],
    isWhole: boolean,
    around: readonly string[],
  ): Generator {
    if (type === "string") yield* this.#texts(all, nodes);
    else if (type === "integer" || type === "number") yield* this.#turned([...numbers(nodes, type === "integer")]);
    else if (type === "boolean") yield* this.#turned([true, false]);
    else if (type === "null") yield null;
    else if (type === "object" || type === "array") {
      this.#made++;
      if (this.#depth >= deepest || this.#made > 4 * most) return;
      this.#depth++;
      const inside = [...around, ...all.map(({ pointer }) => pointer)];
      const value =
        type === "array" ? this.#list(all, nodes, isWhole, inside) : this.#object(all, nodes, isWhole, inside);
      this.#depth--;
      if (value !== undefined) yield value;
    }
  }

  #object(all: readonly Located[], nodes: readonly JsonObject[], isWhole: boolean, around: readonly string[]) {
    const required = new Set(nodes.flatMap((node) => [node["required"] ?? []].flat().map(String)));
    const named = nodes.flatMap(({ properties }) => Object.keys(Object(properties)));
    const names = new Set([...named, ...required]);
    const hasRoom = isWhole && names.size <= smallest(nodes, "maxProperties");
    const object: JsonObject = {};
    this.#spend(names.size * nodes.length, all[0]);
    const direction = this.#direction;
    for (const name of names) {
      const said = nodes.map((node) => memberAt(node, ["properties", name]));
      if (direction && said.some((one) => isAbsent(this.#root, one, direction))) continue;
      const isClosed = nodes.some((node, at) => node["additionalProperties"] === false && said[at] === undefined);
      const isForbidden = said.includes(false) || (isClosed && !required.has(name));
      const schemas = all.flatMap((one) => this.#below(one, name));
      const isLoop = schemas.some(({ pointer }) => around.includes(pointer));
      if (!required.has(name) && (isForbidden || !hasRoom || isLoop || this.#made > most)) continue;
      const value = isForbidden ? undefined : this.#first(schemas, isWhole, around);
      if (value === undefined && required.has(name) && this.#budget !== undefined) return undefined;
      if (value !== undefined) Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
    }
    const least = this.#least(all, nodes, "minProperties");
    for (let count = 1; Object.keys(object).length < least && count <= longest; count++) {
      const schemas = all.flatMap((one) => this.#below(one, "\0"));
      object[`property${count}`] = this.#first(schemas, isWhole, around) ?? null;
    }
    return object;
  }

  #list(all: readonly Located[], nodes: readonly JsonObject[], isWhole: boolean, around: readonly string[]) {
    const least = this.#least(all, nodes, "minItems");
    const first = Math.max(0, ...nodes.map(({ prefixItems }) => [prefixItems ?? []].flat().length));
    const isLoop = all.some((one) => this.#below(one, 0).some(({ pointer }) => around.includes(pointer)));
    const usual = isLoop || !isWhole || this.#made > most ? 0 : 1;
    const limit = nodes.some(({ items }) => items === false) ? first : smallest(nodes, "maxItems");
    const count = Math.min(longest, limit, Math.max(usual, least, first));
    const isUnique = nodes.some((node) => node["uniqueItems"] === true);
    const list: unknown[] = all
      .filter(({ node }) => node["contains"] !== undefined)
      .flatMap((one) => [...take(this.values([this.#part(one, "contains")], isWhole, around), 1)]);
    const seen = new Set<string>();
    while (list.length < count) {
      const schemas = all.flatMap((one) => this.#below(one, list.length));
      const values = take(this.values(schemas, isWhole, around), isUnique ? count + 20 : 1);
      const next = [...values].find((value) => !isUnique || !seen.has(JSON.stringify(value)));
      if (next === undefined) {
        this.#failed ??= schemas[0];
        break;
      }
      seen.add(JSON.stringify(next));
      list.push(next);
    }
    return list.length < least && this.#budget !== undefined ? undefined : list;
  }

  /** How many members, items or characters there must be at least. */
  #least([first]: readonly Located[], nodes: readonly JsonObject[], key: string): number {
    const least = largest(nodes, key);
    if (least > longest && this.#budget !== undefined && first !== undefined)
      throw this.#error(first, `has the \`${key}\` ${least}, and values are made up to ${longest}`);
    return Math.min(longest, least);
  }

  *#texts(all: readonly Located[], nodes: readonly JsonObject[]): Generator<string> {
    const least = this.#least(all, nodes, "minLength");
    const limit = smallest(nodes, "maxLength");
    if (least > limit) return;
    const fits = (text: string) => text.length >= least && text.length <= limit;
    const patterns = nodes.flatMap(({ pattern }) => (typeof pattern === "string" ? [pattern] : []));
    const ofFormat = nodes.flatMap(({ format }) => formats.get(String(format)) ?? []);
    if (patterns.length === 0 || this.#budget !== undefined) yield* ofFormat.filter(fits);
    for (const pattern of patterns) {
      this.#spend(pattern.length * 12, all[0]);
      const text = this.#budget === undefined ? patternText(pattern, fits) : patternTexts(pattern).find(fits);
      if (text !== undefined) yield* [text, ...ofFormat, ...ofFormat.map((start) => start + text)];
    }
    for (const end of ["", ...Array.from({ length: 30 }, (_, at) => String(at + 2))])
      yield (this.#word.slice(0, Math.max(0, limit - end.length)) + end).padEnd(least, "-").slice(0, limit);
  }
}

function largest(nodes: readonly JsonObject[], key: string, otherwise = 0): number {
  return Math.max(otherwise, ...nodes.map(({ [key]: value }) => (typeof value === "number" ? value : otherwise)));
}

function smallest(nodes: readonly JsonObject[], key: string): number {
  return Math.min(Infinity, ...nodes.map(({ [key]: value }) => (typeof value === "number" ? value : Infinity)));
}

/** Numbers within the limits of all schemas. */
function* numbers(nodes: readonly JsonObject[], isInteger: boolean): Generator<number> {
  const multiples = nodes.flatMap(({ multipleOf }) => (typeof multipleOf === "number" ? [multipleOf] : []));
  const step = multiples.at(-1) ?? 1;
  const least = largest(nodes, "minimum", -Infinity);
  const above = largest(nodes, "exclusiveMinimum", -Infinity);
  const limit = smallest(nodes, "maximum");
  const below = smallest(nodes, "exclusiveMaximum");
  const isMultiple = (one: number) => multiples.every((of) => Math.abs(one / of - Math.round(one / of)) < 1e-9);
  const fits = (one: number) => one >= least && one > above && one <= limit && one < below && isMultiple(one);
  const start = Math.max(least, above);
  const end = Math.min(limit, below);
  const isUpward = Number.isFinite(start) || !Number.isFinite(end);
  const first = isUpward ? Math.ceil((Number.isFinite(start) ? start : 0) / step) : Math.floor(end / step);
  const further = Array.from({ length: 32 }, (_, at) => (first + (isUpward ? at : -at)) * step);
  const candidates = [...(multiples.length > 0 ? [] : [1, least, limit]), ...further, (start + end) / 2];
  const valid = candidates.filter((one) => fits(one) && Number.isFinite(one) && (!isInteger || Number.isInteger(one)));
  yield* new Set(valid);
}

/** The types that all schemas permit; what has no type is judged by its other keywords. */
function typesOf(nodes: readonly JsonObject[]): string[] {
  const declared = nodes.flatMap(({ type }) => (type === undefined ? [] : [[type].flat().map(String)]));
  const [first, ...others] = declared;
  const isInteger = others.some((types) => types.includes("integer"));
  const common = first
    ?.filter((type) =>
      others.every((types) => types.includes(type) || (type === "number" && types.includes("integer"))),
    )
    .map((type) => (type === "number" && isInteger ? "integer" : type));
  if (common !== undefined) return common;
  const keys = new Set(nodes.flatMap((node) => Object.keys(node)));
  const implied = new Set([...keys].map((key) => typeOfKeyword.get(key)));
  const found = ["object", "array", "number"].find((type) => implied.has(type));
  if (found !== undefined) return [found];
  return ["enum", "const", "examples", "example", "default"].some((key) => keys.has(key)) ? anyType : ["string"];
}

/** Null is the last choice. */
const nullLast = (a: string, b: string) => Number(a === "null") - Number(b === "null");

const anyType = ["string", "number", "boolean", "object", "array", "null"];
