import { expect, it } from "vitest";
import { withTags } from "./tags.ts";

type Schemas = Record<string, object>;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };
const pet = (kind: object, further: object = {}) => ({ type: "object", properties: { kind, ...further } });
const documentOf = (schemas: Schemas) => ({ openapi: "3.1.0", info: {}, paths: {}, components: { schemas } });
const cat = "#/components/schemas/Cat";

/** The components that get a tag, with those of their parts that have one. */
function written(schemas: Schemas): object {
  const document = documentOf(schemas);
  const before = structuredClone(document);
  const tagged = withTags(document);
  expect(document).toEqual(before);
  expect(withTags(document)).toBe(tagged);
  expect(withTags(tagged)).toEqual(tagged);
  return Object.fromEntries(
    Object.entries(tagged.components.schemas).filter(([name, schema]) => schema !== schemas[name]),
  );
}

it("writes the values that lead to a component, in its free text", () => {
  const Cat = { ...pet({ ...text, description: "What it is." }), required: ["kind"] };
  const Dog = { allOf: [ref("Named"), pet({})] };
  const Named = pet({ type: "string", enum: ["dog", "wolf", "cat"] });
  const union = { oneOf: [ref("Cat"), ref("Dog"), { type: "null" }] };
  const mapping = { cat, lion: "Cat", dog: "#/components/schemas/Dog" };
  const Pet = { ...union, discriminator: { propertyName: "kind", mapping } };
  expect(written({ Cat, Dog, Named, Pet })).toEqual({
    Cat: { ...pet({ ...text, description: "What it is.", enum: ["cat", "lion"] }), required: ["kind"] },
    Dog: { allOf: [ref("Named"), pet({ ...text, enum: ["dog"] })] },
  });
});

it("takes the names of components without a mapping, also of those that extend a base", () => {
  const Base = { ...pet(text), discriminator: { propertyName: "kind" } };
  const schemas = { Base, Cat: { allOf: [ref("Base")] }, Lion: { allOf: [ref("Cat")] }, Dog: { allOf: [ref("Base")] } };
  // What others extend has their tags, too.
  expect(written(schemas)).toEqual({ Dog: { allOf: [ref("Base"), pet({ ...text, enum: ["Dog"] })] } });
});

it.each<[what: string, kind: object | undefined, mapping?: object]>([
  ["a literal", { const: "feline" }],
  ["values that lack one", { enum: ["feline", "cat"] }, { cat, lion: cat }],
  ["no more values", { enum: ["cat"] }, { cat }],
  ["a pattern", { type: "string", pattern: "^c" }],
  ["null", { type: ["string", "null"] }],
  ["no text", { type: "integer" }],
  ["nothing declared", undefined],
])("leaves a tag with %s", (_, kind, mapping) => {
  const Cat = kind === undefined ? { type: "object" } : pet(kind);
  const Pet = { oneOf: [ref("Cat")], discriminator: { propertyName: "kind", mapping } };
  expect(written({ Cat, Pet })).toEqual({});
});

it("leaves a component that two properties tell apart, and takes the values of all unions of one", () => {
  const Cat = pet(text, { type: text });
  const union = (propertyName: string, value: string) => ({
    anyOf: [ref("Cat")],
    discriminator: { propertyName, mapping: { [value]: cat } },
  });
  expect(written({ Cat, A: union("kind", "cat"), B: union("type", "cat") })).toEqual({});
  expect(written({ Cat, A: union("kind", "cat"), B: union("kind", "lion") })).toEqual({
    Cat: pet({ ...text, enum: ["cat", "lion"] }, { type: text }),
  });
});
