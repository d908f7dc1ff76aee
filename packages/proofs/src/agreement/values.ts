/** Values for a schema: what it names, combined, right and wrong. */
import { listOf, mapOf, targetOf, type Schema, type Schemas } from "./node.ts";
import { Random } from "./random.ts";

/** What a schema and all that it refers to name. */
interface Parts {
  readonly values: unknown[];
  readonly properties: Map<string, unknown[]>;
  /** The places of lists, of which the last repeats. */
  readonly items: (readonly unknown[])[];
  /** The values of further members. */
  readonly rest: unknown[];
}

const wrong: readonly unknown[] = ["q", 2, null, true, [], {}];

const scalars: Readonly<Record<string, readonly unknown[]>> = {
  string: ["q", "ab"],
  number: [2, 1.5],
  integer: [2],
  boolean: [true],
  null: [null],
};

const ofFormat: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  uuid: "0b5e4f0e-6c1d-4a39-9c62-2f3d1c7a8b90",
};

const made = new WeakMap<Schemas, Map<string, readonly unknown[]>>();

/** Distinct values for a component: the same for its name, whatever else is in the document. */
export function valuesOf(schemas: Schemas, name: string, count: number): readonly unknown[] {
  const ofSchemas = made.get(schemas) ?? new Map<string, readonly unknown[]>();
  made.set(schemas, ofSchemas);
  const values = ofSchemas.get(name) ?? makeValues(schemas, name, count);
  ofSchemas.set(name, values);
  return values;
}

function makeValues(schemas: Schemas, name: string, count: number): unknown[] {
  const random = Random.named(name);
  const maker = new Maker(schemas, random);
  const found = new Map<string, unknown>();
  const add = (value: unknown) => found.size < count && found.set(JSON.stringify(value), value);
  const parts = maker.partsOf(schemas[name]);
  for (const value of [...wrong, ...parts.values, 1.5, "ab"]) add(value);
  for (let tries = 0; tries < count * 6; tries++) add(maker.whole(schemas[name], parts));
  return [...found.values()];
}

class Maker {
  readonly #schemas: Schemas;
  readonly #random: Random;
  readonly #tags: ReadonlyMap<string, readonly string[]>;
  /** How often a part is of another kind than its schema says. */
  #slips = 0;

  constructor(schemas: Schemas, random: Random) {
    this.#schemas = schemas;
    this.#tags = tagsIn(schemas);
    this.#random = random;
  }

  whole(schema: unknown, parts: Parts): unknown {
    const makers = [
      ...(parts.properties.size + parts.rest.length > 0 ? [() => this.#object(parts, 4)] : []),
      ...(parts.items.length > 0 ? [() => this.#list(parts, 4)] : []),
    ];
    this.#slips = this.#random.pick([0, 0.15, 0.3]);
    return makers.length > 0 ? this.#random.pick(makers)() : this.#value([schema], 4);
  }

  #value(schemas: readonly unknown[], depth: number): unknown {
    const schema = this.#random.pick(schemas);
    if (typeof schema !== "object" || schema === null || depth <= 0 || this.#random.isBelow(this.#slips))
      return this.#random.pick(wrong);
    const parts = this.partsOf(schema);
    const types = typesIn(Object(schema), this.#schemas);
    if (parts.values.length > 0 && this.#random.isBelow(0.9)) return this.#random.pick(parts.values);
    const makers = [
      ...types.flatMap((type) => scalars[type] ?? []).map((value) => () => value),
      ...(parts.items.length > 0 ? [() => this.#list(parts, depth)] : []),
      ...(parts.properties.size + parts.rest.length > 0 ? [() => this.#object(parts, depth)] : []),
    ];
    return makers.length > 0 ? this.#random.pick(makers)() : this.#random.pick(wrong);
  }

  #list({ items }: Parts, depth: number): unknown[] {
    const places = this.#random.pick(items);
    return Array.from({ length: this.#random.below(4) }, (_, at) =>
      this.#value([places[Math.min(at, places.length - 1)] ?? {}], depth - 1),
    );
  }

  #object({ properties, rest }: Parts, depth: number): object {
    const share = this.#random.pick([0.3, 0.6, 0.9, 1]);
    const members = [...properties].flatMap(([name, schemas]): [string, unknown][] =>
      this.#random.isBelow(share) ? [[name, this.#value(schemas, depth - 1)]] : [],
    );
    if (rest.length > 0 && this.#random.isBelow(0.6))
      members.push([`m${this.#random.below(3)}`, this.#value(rest, depth - 1)]);
    return Object.fromEntries(members);
  }

  /** What a schema names, in all branches. */
  partsOf(schema: unknown, seen: readonly unknown[] = []): Parts {
    const parts: Parts = { values: [], properties: new Map(), items: [], rest: [] };
    if (typeof schema !== "object" || schema === null || seen.includes(schema)) return parts;
    const node: Schema = Object(schema);
    const property = (name: string, ...more: unknown[]) =>
      parts.properties.set(name, [...(parts.properties.get(name) ?? []), ...more]);
    const target = targetOf(node);
    const branches = [
      ...(target === undefined ? [] : [this.#schemas[target]]),
      ...["allOf", "anyOf", "oneOf"].flatMap((key) => listOf(node, key)),
    ];
    for (const inner of branches.map((branch) => this.partsOf(branch, [...seen, schema]))) {
      parts.values.push(...inner.values);
      for (const [name, schemas] of inner.properties) property(name, ...schemas);
      parts.items.push(...inner.items);
      parts.rest.push(...inner.rest);
    }
    if ("const" in node) parts.values.push(node["const"]);
    if (Array.isArray(node["enum"])) parts.values.push(...node["enum"]);
    const text = ofFormat[String(node["format"])];
    if (text !== undefined) parts.values.push(text);
    for (const [name, inner] of mapOf(node, "properties")) property(name, inner);
    for (const name of [node["required"] ?? []].flat().map(String)) if (!parts.properties.has(name)) property(name, {});
    for (const [name, values] of this.#tags) if (parts.properties.has(name)) property(name, { enum: values });
    const { prefixItems, items, additionalProperties } = node;
    if (Array.isArray(prefixItems)) parts.items.push([...prefixItems, items ?? {}]);
    else if (items !== undefined) parts.items.push([items]);
    if (typeof additionalProperties === "object") parts.rest.push(additionalProperties);
    return parts;
  }
}

/** The types that a schema names, in all branches. */
function typesIn(schema: Schema, schemas: Schemas, depth = 4): string[] {
  const target = targetOf(schema);
  const branches = [
    ...(target === undefined ? [] : [Object(schemas[target])]),
    ...["allOf", "anyOf", "oneOf"].flatMap((key) => listOf(schema, key)),
  ];
  const own = [schema["type"] ?? []].flat().map(String);
  return [...own, ...(depth > 0 ? branches.flatMap((branch) => typesIn(branch, schemas, depth - 1)) : [])];
}

const tags = new WeakMap<Schemas, ReadonlyMap<string, readonly string[]>>();

/** The values that a document's discriminators name, by property: those of mappings, and else the members' names. */
function tagsIn(schemas: Schemas): ReadonlyMap<string, readonly string[]> {
  const known = tags.get(schemas);
  if (known !== undefined) return known;
  const found = new Map<string, string[]>();
  for (const schema of Object.values(schemas))
    JSON.stringify(schema, (_, node: unknown) => {
      const { discriminator, oneOf, anyOf } = Object(node);
      if (discriminator === undefined) return node;
      const members = [oneOf ?? anyOf ?? []].flat().flatMap((member) => targetOf(Object(member)) ?? []);
      const values = discriminator.mapping === undefined ? members : Object.keys(discriminator.mapping);
      found.set(discriminator.propertyName, [...(found.get(discriminator.propertyName) ?? []), ...values]);
      return node;
    });
  tags.set(schemas, found);
  return found;
}
