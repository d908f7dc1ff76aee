/** The schemas of the proof, by name: each a form that documents have, which tools read differently. */
import type { Schema, Schemas } from "./node.ts";

const text = { type: "string" };
const number = { type: "number" };
const flag = { type: "boolean" };
const nothing = { type: "null" };
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Schemas, required: readonly string[] = [], more: Schema = {}): Schema => ({
  type: "object",
  ...(required.length > 0 && { required }),
  properties,
  ...more,
});
const needs = (...required: readonly string[]): Schema => ({ required });
const list = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
const properties = { a: text, b: number };
const eitherNeeds = [needs("a"), needs("b")];
const eitherObject = [object({ x: text }, ["x"]), object({ y: number }, ["y"])];
const mapping = (names: Readonly<Record<string, string>>): Schema =>
  Object.fromEntries(Object.entries(names).map(([tag, name]) => [tag, ref(name)["$ref"]]));
const tagged = (propertyName: string, names?: Readonly<Record<string, string>>): Schema => ({
  propertyName,
  ...(names && { mapping: mapping(names) }),
});

/** What the schemas of all documents refer to. */
export const shared: Schemas = {
  L: object(properties),
  B: object({ p: text }, ["p"]),
  X: object({ x: text }, ["x"]),
  Y: object({ y: number }, ["y"]),
  Kind: { type: "string", enum: ["k1", "k2"] },
  Tree: object({ id: text, kids: list(ref("Tree")) }, ["id"]),
};

/** An object or null. */
export const nullable: Schema = { type: ["object", "null"], properties };

/** What the schemas of a document of 3.1 refer to. */
const helpers: Schemas = {
  ...shared,
  E: nullable,
  Cat: object({ kind: text, purr: flag }, ["kind"]),
  Dog: object({ kind: text, bark: flag }, ["kind"]),
  Hen: object({ sort: text, eggs: number }, ["sort"]),
  Duck: object({ sort: text, swims: flag }, ["sort"]),
  Base: object({ type: text }, ["type"], { discriminator: tagged("type", { car: "Car", bike: "Bike" }) }),
  Car: { allOf: [ref("Base"), object({ doors: { type: "integer" } })] },
  Bike: { allOf: [ref("Base"), object({ bell: flag })] },
  Lynx: object({ kind: { const: "lynx" }, ear: number }, ["kind"]),
  Fox: object({ kind: { enum: ["fox", "vixen"] }, tail: number }, ["kind"]),
  K1: object({ kind: ref("Kind"), one: number }, ["kind"]),
  K2: object({ kind: ref("Kind"), two: text }, ["kind"]),
  Stamp: { type: "string", readOnly: true },
  Made: object({ id: { ...text, readOnly: true }, name: text }, ["id", "name"]),
};

const plain: Schemas = {
  PlainObject: object(properties, ["a"]),
  ClosedObject: object(properties, [], { additionalProperties: false }),
  EnumText: { type: "string", enum: ["u", "v"] },
  EnumMixed: { enum: ["u", 1, true] },
  EnumWithNull: { type: ["string", "null"], enum: ["u", "v", null] },
  EnumWithoutNull: { type: ["string", "null"], enum: ["u", "v"] },
  EnumOfNull: { enum: ["u", null] },
  ConstNumber: { const: 1 },
  ConstObject: { const: { a: "u" } },
  NullableText: { type: ["string", "null"] },
  SeveralTypes: { type: ["string", "number", "null"] },
  ListOfNumbers: list(number),
  ListOfNullable: list({ type: ["string", "null"] }),
  NullableList: { type: ["array", "null"], items: number },
  ListOfUnion: list({ anyOf: [text, ref("X")] }),
  Nested: object({ inner: object({ deep: ref("X") }, ["deep"]), many: list(ref("Y")) }, ["inner"]),
  TreeOf: ref("Tree"),
  BooleanProperty: object({ a: text, never: false, any: true }),
  Ranged: object(
    { n: { type: "integer", minimum: 1, maximum: 3 }, t: { type: "string", pattern: "^a", minLength: 2 } },
    ["n"],
  ),
  Conditional: object(properties, [], JSON.parse('{ "if": { "required": ["a"] }, "then": { "required": ["b"] } }')),
  Dependent: object(properties, [], { dependentRequired: { a: ["b"] } }),
  Excluded: object(properties, [], { not: needs("a", "b") }),
};

const unions: Schemas = {
  UnionOfScalars: { oneOf: [text, { type: "integer" }] },
  ConstUnion: { type: "string", oneOf: [{ const: "u", title: "U" }, { const: "v" }] },
  TypeBesideRefs: { type: "string", anyOf: [ref("Kind"), { const: "z" }] },
  FormatUnion: { type: "string", anyOf: [{ format: "uuid" }, { format: "date" }] },
  AnyOfRequired: object(properties, [], { anyOf: eitherNeeds }),
  OneOfRequired: object(properties, [], { oneOf: eitherNeeds }),
  OneOfRequiredNot: object(properties, [], { oneOf: [{ ...needs("a"), not: needs("b") }, needs("b")] }),
  AnyOfRequiredTyped: object(properties, [], { anyOf: eitherNeeds.map((one) => ({ type: "object", ...one })) }),
  AnyOfRequiredMin: object(properties, [], { anyOf: [needs("a"), { minProperties: 2 }] }),
  TypelessRequired: { properties, oneOf: eitherNeeds },
  NullableAnyOfRequired: { type: ["object", "null"], properties, anyOf: eitherNeeds },
  AnyOfRequiredOfRef: { allOf: [ref("L")], anyOf: eitherNeeds },
  RefBesideAnyOfRequired: { ...ref("L"), anyOf: eitherNeeds },
  AnyOfBeside: object({ p: text }, ["p"], { anyOf: eitherObject }),
  OneOfBeside: object({ p: text }, ["p"], { oneOf: eitherObject }),
  AnyOfRefsBeside: object({ p: text }, ["p"], { anyOf: [ref("X"), ref("Y")] }),
  AnyOfBesideAllOf: { allOf: [ref("B")], anyOf: eitherObject },
  BothUnions: { anyOf: eitherObject, oneOf: [object({ m: text }, ["m"]), object({ n: text }, ["n"])] },
  UnionInAllOf: { allOf: [ref("B"), { anyOf: [ref("X"), ref("Y")] }] },
  UnionInUnion: { anyOf: [ref("B"), { oneOf: [ref("X"), ref("Y")] }] },
  UnionOfLists: { oneOf: [list(text), list(number), text] },
  AnyOfNull: { anyOf: [ref("L"), nothing] },
  OneOfNullFirst: { oneOf: [nothing, ref("X"), ref("Y")] },
  NestedNull: { anyOf: [{ anyOf: [ref("X"), nothing] }, ref("Y")] },
  UnionOfNullable: { anyOf: [{ type: ["string", "null"] }, ref("X")] },
  PropertyOfNull: object({ n: nothing, m: { anyOf: [text, nothing] } }, ["n"]),
};

const conjunctions: Schemas = {
  RefAndRequired: { ...ref("L"), ...needs("a") },
  RefAndProperties: { ...ref("B"), ...object({ x: text }, ["x"]) },
  RefAndAnyOf: { ...ref("B"), anyOf: eitherObject },
  RefAndConst: { ...ref("Kind"), const: "k1" },
  RefAndEnum: { ...ref("Kind"), enum: ["k2", "k3"] },
  RefAndNullType: { ...ref("E"), type: "object" },
  PropertyRefAndConst: object({ kind: { ...ref("Kind"), const: "k1" } }, ["kind"]),
  AllOfRequired: { allOf: [ref("L"), needs("a")] },
  AllOfRequiredTyped: { allOf: [ref("L"), { type: "object", ...needs("a") }] },
  AllOfRequiredAbove: { type: "object", allOf: [ref("L")], ...needs("a") },
  AllOfRequiredProps: { allOf: [ref("L"), object({ a: { description: "now" } }, ["a"])] },
  AllOfInlineRequired: { allOf: [object(properties), needs("a", "b")] },
  AllOfNullableRequired: { allOf: [ref("E"), needs("a")] },
  AllOfNullableRequiredTyped: { allOf: [ref("E"), { type: "object", ...needs("a") }] },
  AllOfDeepRequired: { allOf: [{ allOf: [ref("L")] }, needs("a")] },
  AllOfSame: { allOf: [object({ a: text }), object({ a: { enum: ["u", "v"] } }, ["a"])] },
  AllOfScalars: { allOf: [text, { enum: ["u", "v"] }] },
  RequiredUnknown: object(properties, ["a", "c"]),
  RequiredUnknownOfRef: { allOf: [ref("L"), needs("c")] },
  NullableAllOf: { type: ["object", "null"], allOf: [ref("E")] },
  NestedNullAll: { allOf: [{ anyOf: [ref("L"), nothing] }, needs("a")] },
};

const tags: Schemas = {
  PetMapped: {
    oneOf: [ref("Cat"), ref("Dog")],
    discriminator: tagged("kind", { cat: "Cat", dog: "Dog" }),
  },
  PetUnmapped: { oneOf: [ref("Hen"), ref("Duck")], discriminator: tagged("sort") },
  Wild: { oneOf: [ref("Lynx"), ref("Fox")], discriminator: tagged("kind") },
  WildMapped: {
    anyOf: [ref("Lynx"), ref("Fox")],
    discriminator: tagged("kind", { lynx: "Lynx", fox: "Fox", vixen: "Fox" }),
  },
  KindShared: { oneOf: [ref("K1"), ref("K2")], discriminator: tagged("kind", { k1: "K1", k2: "K2" }) },
  Vehicle: { oneOf: [ref("Car"), ref("Bike")] },
  VehicleNullable: { anyOf: [{ oneOf: [ref("Car"), ref("Bike")], discriminator: tagged("type") }, nothing] },
};

const lists: Schemas = {
  TupleClosed: { type: "array", prefixItems: [number, text], items: false, minItems: 2 },
  TupleOpen: { type: "array", prefixItems: [number, text], items: flag, minItems: 2 },
  TupleShort: { type: "array", prefixItems: [text, number], minItems: 1, maxItems: 2 },
  TupleFree: { type: "array", prefixItems: [text, number] },
  TupleRestOptional: { type: "array", prefixItems: [text], items: number },
  TupleOfRefs: { type: "array", prefixItems: [ref("X"), { type: ["string", "null"] }], minItems: 1, items: false },
  TupleNullable: { type: ["array", "null"], prefixItems: [text, text], minItems: 2, items: false },
};

const maps: Schemas = {
  MapOfNumbers: { type: "object", additionalProperties: number },
  MapOfObjects: { type: "object", additionalProperties: ref("X") },
  MapBeside: object({ version: { type: "integer" } }, ["version"], { additionalProperties: text }),
  MapBesideOptional: object({ n: number, s: text }, [], { additionalProperties: flag }),
  MapBesideAllOf: { allOf: [ref("B")], ...object({ n: number }, [], { additionalProperties: text }) },
  MapOfNullable: { type: "object", additionalProperties: { type: ["number", "null"] } },
};

const secret = { ...text, writeOnly: true };
const directions: Schemas = {
  ReadOnlyRequired: object({ id: { ...text, readOnly: true }, name: text }, ["id", "name"]),
  ReadOnlyOptional: object({ id: { ...text, readOnly: true }, name: text }, ["name"]),
  WriteOnlyRequired: object({ name: text, secret }, ["name", "secret"]),
  BothMarks: object({ id: { ...text, readOnly: true }, name: text, secret }, ["id", "name", "secret"]),
  ReadOnlyBesideRef: object({ id: { ...ref("Kind"), readOnly: true }, name: text }, ["id", "name"]),
  ReadOnlyInRef: object({ id: ref("Stamp"), name: text }, ["id", "name"]),
  ReadOnlyInAllOf: { allOf: [ref("Made"), object({ more: number }, ["more"])] },
  ReadOnlyRequiredAbove: { allOf: [object({ id: { ...text, readOnly: true }, name: text })], required: ["id", "name"] },
  ReadOnlyInList: list(ref("Made")),
  ReadOnlyInside: object({ inner: ref("Made"), note: text }, ["inner"]),
  ReadOnlyInUnion: { oneOf: [ref("Made"), ref("Y")] },
};

/** A document of 3.1 of somebody else. */
export const stranger: Schemas = {
  ...helpers,
  ...plain,
  ...unions,
  ...conjunctions,
  ...tags,
  ...lists,
  ...maps,
  ...directions,
};

const event = (type: string, properties: Schemas): Schema =>
  object({ id: text, type: { const: type }, ...properties }, ["id", "type"]);

/** A document of ours, whose open sets may have more members than they list. */
export const own: Schemas = {
  ...shared,
  Started: event("started", { at: number }),
  Ended: event("ended", { result: text }),
  OpenText: { type: "string", enum: ["u", "v"], "x-extensible": true },
  OpenProperty: object({ state: { type: "string", enum: ["u", "v"], "x-extensible": true }, a: text }, ["state"]),
  OpenInRef: object({ state: ref("OpenText"), many: list(ref("OpenText")) }, ["state"]),
  OpenNullable: object({ state: { type: ["string", "null"], enum: ["u", null], "x-extensible": true } }, ["state"]),
  OpenUnion: {
    type: "object",
    oneOf: [ref("Started"), ref("Ended")],
    discriminator: tagged("type", { started: "Started", ended: "Ended" }),
    "x-extensible": true,
  },
  OpenInList: object({ events: list(ref("OpenUnion")) }, ["events"]),
};

/** A document of OpenAPI 3.0, where null is a mark. */
export const older: Schemas = {
  ...shared,
  NullableText: { ...text, nullable: true },
  NullableObject: object(properties, ["a"], { nullable: true }),
  NullableProperty: object({ a: { ...number, nullable: true }, b: text }, ["a"]),
  NullableEnum: { ...text, enum: ["u", null], nullable: true },
  NullAlone: { anyOf: [text, { nullable: true }] },
  NullAloneInOneOf: { oneOf: [ref("X"), { nullable: true }] },
  NullableBesideAnyOf: { nullable: true, anyOf: [ref("X"), ref("Y")] },
  NullableBesideOneOf: object({ one: { nullable: true, oneOf: [text, ref("X")] } }, ["one"]),
  NullableBesideAllOf: object({ one: { nullable: true, allOf: [ref("X")] } }, ["one"]),
  NullableMember: { anyOf: [{ ...text, nullable: true }, ref("X")] },
  NullableItems: list({ ...number, nullable: true }),
  NullableMap: { type: "object", additionalProperties: { ...text, nullable: true } },
};
