import { isObject, memberAt, type Fault, type JsonObject, type Loc } from "@trainyard/core/validation";
import { locateIn, type Located } from "@trainyard/document";
import { patternText } from "./pattern-text.ts";
import { validatorOf } from "./validator.ts";

/** A value, and its faults if no valid one was found. */
export interface Sample {
  readonly value: unknown;
  readonly faults: readonly Fault[];
}

/**
 * Makes a value by its schema: with each property, and with the values that the schema shows. If it is not valid, its
 * invalid parts are replaced by other values of their schemas, or left out; if that fails, it has only what it must have.
 *
 * @param word what a text without format and pattern begins with
 */
export function sampleOf(root: object, schema: Located, word = "string"): Sample {
  const ofDocument = samples.get(root) ?? new Map<string, Sample>();
  samples.set(root, ofDocument);
  const key = `${word} ${schema.pointer}`;
  const sample = ofDocument.get(key) ?? makeSample(root, schema, word);
  ofDocument.set(key, sample);
  return sample;
}

const samples = new WeakMap<object, Map<string, Sample>>();

function makeSample(root: object, schema: Located, word: string): Sample {
  const validator = validatorOf(root);
  const judge = (value: unknown): Sample => ({ value, faults: validator.at(schema.pointer, value) });
  const whole = repaired(new Sampler(root, word), schema, true, judge);
  return whole.faults.length === 0 ? whole : repaired(new Sampler(root, word), schema, false, judge);
}

function repaired(sampler: Sampler, schema: Located, isWhole: boolean, judge: (value: unknown) => Sample): Sample {
  const [first] = sampler.values([schema], isWhole);
  let sample = judge(first);
  for (let rounds = 0; sample.faults.length > 0 && rounds < 50; rounds++) {
    const { value, faults } = sample;
    for (const other of replacements(sampler, schema, value, faults[0]?.loc ?? [])) {
      const next = judge(other);
      if (next.faults.length >= faults.length) continue;
      sample = next;
      break;
    }
    if (sample.value === value) break;
  }
  return sample;
}

/** The value with another part at the location of a fault, or without it. The innermost part comes first. */
function* replacements(sampler: Sampler, schema: Located, value: unknown, loc: Loc): Generator {
  for (let length = loc.length; length >= 0; length--) {
    const path = loc.slice(0, length);
    for (const isWhole of [true, false])
      for (const part of take(sampler.values(sampler.at(schema, path), isWhole), 30)) yield withPart(value, path, part);
    if (length === loc.length) for (const part of plain) yield withPart(value, path, part);
    const part = memberAt(value, path);
    const names = isObject(part) ? Object.keys(part) : [];
    for (const name of names) yield withPart(value, [...path, name], undefined);
    // Of two branches that both permit nearly everything, one must be broken.
    for (const name of names) for (const other of [true, 0]) yield withPart(value, [...path, name], other);
    if (length > 0) yield withPart(value, path, undefined);
  }
}

const plain: readonly unknown[] = ["a", "1", "abc", true, [], {}, null, 0, 1, 2, 10];

function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  let count = 0;
  for (const value of values)
    if (count++ < most) yield value;
    else return;
}

/** A copy with another part at a path, or without it. */
function withPart(value: unknown, [first, ...rest]: Loc, part: unknown): unknown {
  if (first === undefined) return part;
  const replaced = withPart(memberAt(value, [first]), rest, part);
  if (Array.isArray(value))
    return replaced === undefined ? value.toSpliced(Number(first), 1) : value.with(Number(first), replaced);
  const { [first]: _, ...others } = isObject(value) ? value : {};
  return replaced === undefined ? others : { ...others, [first]: replaced };
}

const formats = new Map(
  Object.entries({
    byte: "YWJj",
    date: "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    duration: "PT1H",
    email: "name@example.com",
    hostname: "example.com",
    ipv4: "127.0.0.1",
    ipv6: "::1",
    "json-pointer": "/a",
    regex: "^a",
    time: "00:00:00Z",
    uri: "https://example.com",
    "uri-reference": "/a",
    url: "https://example.com",
    uuid: "00000000-0000-4000-8000-000000000000",
  }),
);

/** The most objects and lists of one value. Further ones have only what they must. */
const most = 500;
/** The longest text and list. */
const longest = 1000;

class Sampler {
  readonly #root: object;
  readonly #word: string;
  #made = 0;

  constructor(root: object, word: string) {
    this.#root = root;
    this.#word = word;
  }

  /** The schemas of a part of a value, in all branches. */
  at(schema: Located, path: Loc): readonly Located[] {
    let here: readonly Located[] = [schema];
    for (const step of path) {
      here = here.flatMap((one) => this.#branches(one)).flatMap((one) => this.#below(one, step));
    }
    return here;
  }

  #branches(schema: Located, depth = 4): Located[] {
    const inner = unions.concat("allOf").flatMap((key) => this.#listed(schema, key));
    return [schema, ...(depth > 0 ? inner.flatMap((one) => this.#branches(one, depth - 1)) : [])];
  }

  #listed(schema: Located, key: string): Located[] {
    const { [key]: list } = schema.node;
    return Array.isArray(list) ? list.map((_, index) => locateIn(this.#root, schema, key, index)) : [];
  }

  #below(schema: Located, step: string | number): Located[] {
    const { prefixItems, items, properties, additionalProperties } = schema.node;
    const keys =
      typeof step === "number"
        ? Array.isArray(prefixItems) && step < prefixItems.length
          ? ["prefixItems", step]
          : items !== undefined && ["items"]
        : Object.hasOwn(Object(properties), step)
          ? ["properties", step]
          : isObject(additionalProperties) && ["additionalProperties"];
    return keys ? [locateIn(this.#root, schema, ...keys)] : [];
  }

  /** Values that all of these schemas suggest, the most telling first. */
  *values(schemas: readonly Located[], isWhole: boolean, around: readonly string[] = []): Generator {
    const all = schemas.flatMap((schema) => this.#required(schema));
    const nodes = all.map(({ node }) => node);
    const types = typesOf(nodes);
    const isTyped = (value: unknown) => value !== undefined && types.some((type) => isOf(type, value));
    for (const node of nodes) {
      const shown: unknown[] = [node["examples"] ?? [], [node["default"]], node["enum"] ?? []].flat();
      yield* [node["example"], node["const"], ...shown.slice(0, 20)].filter((one) => one !== null && isTyped(one));
    }
    const union = unions
      .flatMap((key) => all.map((schema) => ({ schema, key })))
      .find(({ schema, key }) => {
        return Array.isArray(schema.node[key]) && schema.node[key].length > 0;
      });
    if (union !== undefined) {
      const { schema, key } = union;
      const { [key]: _, ...rest } = schema.node;
      const others = all.map((one) => (one === schema ? { ...schema, node: rest } : one));
      const branches = this.#listed(schema, key);
      // Null, and what would repeat without end, are the last choices.
      const rank = ({ node, pointer }: Located) => (around.includes(pointer) ? 2 : node["type"] === "null" ? 1 : 0);
      for (const branch of branches.toSorted((a, b) => rank(a) - rank(b)))
        yield* this.values([...others, branch], isWhole, around);
      return;
    }
    for (const type of types) yield* this.#ofType(type, all, nodes, isWhole, around);
  }

  /** A schema, and what its `allOf` demands. */
  #required(schema: Located, depth = 8): Located[] {
    const { allOf, ...node } = schema.node;
    if (allOf === undefined || depth === 0) return [schema];
    return [{ ...schema, node }, ...this.#listed(schema, "allOf").flatMap((one) => this.#required(one, depth - 1))];
  }

  *#ofType(
    type: string,
    all: readonly Located[],
    nodes: readonly JsonObject[],
    isWhole: boolean,
    around: readonly string[],
  ): Generator {
    if (type === "string") yield* this.#texts(nodes);
    else if (type === "integer" || type === "number") yield* numbers(nodes, type === "integer");
    else if (type === "boolean") yield* [true, false];
    else if (type === "null") yield null;
    else {
      this.#made++;
      const inside = [...around, ...all.map(({ pointer }) => pointer)];
      if (inside.length > 100 || this.#made > 4 * most) return;
      if (type === "array") yield this.#list(all, nodes, isWhole, inside);
      else yield this.#object(all, nodes, isWhole, inside);
    }
  }

  #object(all: readonly Located[], nodes: readonly JsonObject[], isWhole: boolean, around: readonly string[]) {
    const required = new Set(nodes.flatMap((node) => [node["required"] ?? []].flat().map(String)));
    const named = nodes.flatMap(({ properties }) => Object.keys(Object(properties)));
    const object: JsonObject = {};
    for (const name of new Set([...named, ...required])) {
      const isForbidden = nodes.some(
        (node) =>
          memberAt(node, ["properties", name]) === false ||
          (node["additionalProperties"] === false &&
            !required.has(name) &&
            !Object.hasOwn(Object(node["properties"]), name)),
      );
      const schemas = all.flatMap((one) => this.#below(one, name));
      const isLoop = schemas.some(({ pointer }) => around.includes(pointer));
      if (isForbidden || (!required.has(name) && (!isWhole || isLoop || this.#made > most))) continue;
      const [value] = this.values(schemas, isWhole, around);
      if (value !== undefined) Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
    }
    const least = largest(nodes, "minProperties");
    for (let count = 1; Object.keys(object).length < least && count <= longest; count++) {
      const [value = null] = this.values(
        all.flatMap((one) => this.#below(one, "\0")),
        isWhole,
        around,
      );
      object[`property${count}`] = value;
    }
    return object;
  }

  #list(all: readonly Located[], nodes: readonly JsonObject[], isWhole: boolean, around: readonly string[]) {
    const wanted = Math.max(
      largest(nodes, "minItems"),
      ...nodes.map(({ prefixItems }) => [prefixItems ?? []].flat().length),
    );
    const isLoop = all.some((one) => this.#below(one, 0).some(({ pointer }) => around.includes(pointer)));
    const usual = isLoop || !isWhole || this.#made > most ? 0 : 1;
    const count = Math.min(longest, smallest(nodes, "maxItems"), Math.max(usual, wanted));
    const isUnique = nodes.some((node) => node["uniqueItems"] === true);
    const list: unknown[] = all
      .filter(({ node }) => node["contains"] !== undefined)
      .flatMap((one) => [...take(this.values([locateIn(this.#root, one, "contains")], isWhole, around), 1)]);
    const seen = new Set<string>();
    while (list.length < count) {
      const schemas = all.flatMap((one) => this.#below(one, list.length));
      const values = take(this.values(schemas, isWhole, around), isUnique ? count + 20 : 1);
      const next = [...values].find((value) => !isUnique || !seen.has(JSON.stringify(value)));
      if (next === undefined) break;
      seen.add(JSON.stringify(next));
      list.push(next);
    }
    return list;
  }

  *#texts(nodes: readonly JsonObject[]): Generator<string> {
    const least = Math.min(longest, largest(nodes, "minLength"));
    const limit = smallest(nodes, "maxLength");
    const fits = (text: string) => text.length >= least && text.length <= limit;
    const patterns = nodes.flatMap(({ pattern }) => (typeof pattern === "string" ? [pattern] : []));
    const ofFormat = nodes.flatMap(({ format }) => formats.get(String(format)) ?? []);
    if (patterns.length === 0) yield* ofFormat;
    for (const pattern of patterns) {
      const text = patternText(pattern, fits);
      if (text !== undefined) yield* [text, ...ofFormat, ...ofFormat.map((start) => start + text)];
    }
    for (const end of ["", ...Array.from({ length: 30 }, (_, at) => String(at + 2))])
      yield (this.#word.slice(0, Math.max(0, limit - end.length)) + end).padEnd(least, "-").slice(0, limit);
  }
}

const unions = ["oneOf", "anyOf"];

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
  const fits = (one: number) => one >= least && one > above && one <= limit && one < below;
  const start = Math.max(least, above);
  const end = Math.min(limit, below);
  const isUpward = Number.isFinite(start) || !Number.isFinite(end);
  const first = isUpward ? Math.ceil((Number.isFinite(start) ? start : 0) / step) : Math.floor(end / step);
  const further = Array.from({ length: 32 }, (_, at) => (first + (isUpward ? at : -at)) * step);
  const candidates = [
    ...(multiples.length > 0 ? [] : [1, least, limit]),
    above + step,
    below - step,
    ...further,
    0,
    (start + end) / 2,
  ];
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
  const has = (...keys: string[]) => nodes.some((node) => keys.some((key) => key in node));
  const found =
    common ??
    (has("properties", "required", "additionalProperties", "minProperties")
      ? ["object"]
      : has("items", "prefixItems", "minItems", "contains")
        ? ["array"]
        : has("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")
          ? ["number"]
          : has("enum", "const", "examples", "example", "default")
            ? anyType
            : ["string"]);
  // Null is the last choice.
  return found.toSorted((a, b) => Number(a === "null") - Number(b === "null"));
}

const anyType = ["string", "number", "boolean", "object", "array", "null"];

function isOf(type: string, value: unknown): boolean {
  if (type === "null" || value === null) return type === "null" && value === null;
  if (type === "array" || Array.isArray(value)) return type === "array" && Array.isArray(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}
