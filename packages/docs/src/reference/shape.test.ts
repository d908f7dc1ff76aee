import { expect, it } from "vitest";
import { drawWhole } from "./draw-shape.ts";
import { labelAt, labelText } from "./label.ts";
import { serviceOf } from "./services.ts";
import { Shapes } from "./shape.ts";

const documentOf = (schemas: object) => ({ openapi: "3.1.0", "x-trainyard": 1, components: { schemas } });
const shapeOf = (schema: object, others: object = {}) =>
  new Shapes(documentOf({ One: schema, ...others })).at("#/components/schemas/One", "One");

it.each([
  [{ type: "string" }, "string"],
  [{ type: ["array", "null"], items: { $ref: "#/components/schemas/Two" } }, "array of Two or null"],
  [{ anyOf: [{ type: "null" }, { $ref: "#/components/schemas/Two" }] }, "Two or null"],
  [{ type: "object", additionalProperties: { type: ["number", "boolean"] } }, "{ [name]: number or boolean }"],
  [{ allOf: [{ $ref: "#/components/schemas/Two" }, { required: ["a"] }] }, "object"],
  [{ $ref: "#/components/schemas/Two", required: ["a"] }, "object"],
  [{ prefixItems: [{ type: "string" }, { type: "number" }], items: { type: "null" } }, "[string, number, ...null]"],
  [{ const: false }, "false"],
  [{}, "any value"],
  [{ type: "string", contentSchema: { $ref: "#/components/schemas/Two" } }, "events, each with Two"],
  [{ oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, "string or array of string"],
])("calls %j %s", (schema, label) => {
  const root = { components: { schemas: { Two: { type: "object" } } }, schema };
  expect(labelText(labelAt(root, "#/schema"))).toBe(label);
});

it.each([
  [{ default: 0 }, "Default: `0`"],
  [{ default: [] }, "Default: `[]`"],
  [{ default: false }, "Default: `false`"],
  [{ minimum: 0 }, "At least 0"],
  [{ minimum: 1, maximum: 9 }, "From 1 to 9"],
  [{ minLength: 1, maxLength: 1 }, "Exactly 1 character"],
  [{ maxItems: 4 }, "At most 4 items"],
  [{ pattern: "^`+$" }, "Matches `` ^`+$ ``"],
  [{ enum: ["asc", 1, null] }, 'One of `"asc"` or `1`'],
  [{ not: { required: ["a", "b"] } }, "Only one of `a` and `b` may be set"],
  [{ additionalProperties: false }, "Additional properties are rejected"],
])("says of %j: %s", (schema, fact) => expect(shapeOf(schema).facts).toEqual([fact]));

it.each(["if", "propertyNames", "x-nobody-knows", "toString"])(
  "fails for the unknown keyword %s, and names its place",
  (keyword) => {
    const schema = { properties: { a: { [keyword]: [] } } };
    expect(() => shapeOf(schema)).toThrow(`cannot show \`${keyword}\` at #/components/schemas/One/properties/a`);
  },
);

it("shows what holds together as one: fields, what is required of them, facts, and a further union as a fact", () => {
  const shape = shapeOf(
    {
      allOf: [{ $ref: "#/components/schemas/Two" }, { required: ["b"], properties: { a: {}, c: { type: "boolean" } } }],
      oneOf: [{ title: "Left" }, { title: "Right" }],
      required: ["a"],
    },
    {
      Two: {
        type: "object",
        minProperties: 1,
        properties: { a: { type: "string" }, b: { type: "number" } },
        anyOf: [{ type: "object" }],
      },
    },
  );
  expect(shape.fields.map(({ name, isRequired, shape: { label } }) => [name, isRequired, labelText(label)])).toEqual([
    ["a", true, "string"],
    ["b", true, "number"],
    ["c", false, "boolean"],
  ]);
  expect(shape.variants.map(({ caption }) => caption)).toEqual(["Left", "Right"]);
  expect(shape.facts).toEqual(["At least 1 property", "Must also be object"]);
});

it("shows a pattern of names in the place of a name", () => {
  const shape = shapeOf({
    patternProperties: { "^metadata\\..+$": { type: "string", minLength: 1 } },
    additionalProperties: false,
  });
  expect(shape.fields).toMatchObject([
    { name: "^metadata\\..+$", isRequired: false, shape: { facts: ["At least 1 character"] } },
  ]);
});

it("fails for a `not` that it cannot describe", () => {
  expect(() => shapeOf({ not: { type: "string" } })).toThrow("cannot show `not` at #/components/schemas/One");
});

it("shows each schema once, so that a recursive schema ends", () => {
  const tree = { type: "object", properties: { left: { $ref: "#/components/schemas/One" }, name: { type: "string" } } };
  const [left, name] = shapeOf(tree).fields;
  expect(left).toMatchObject({ name: "left", shape: { id: "One.left", seen: "One", fields: [] } });
  expect(name).toMatchObject({ name: "name", shape: { id: "One.name", seen: undefined } });
});

it("names the variants of a union by their discriminator, and shows each", () => {
  const kind = (type: string, field: string) => ({
    properties: { type: { const: type }, [field]: { type: "string" } },
  });
  const json = JSON.stringify({
    ...documentOf({
      One: {
        oneOf: [{ $ref: "#/components/schemas/Cat" }, kind("dog", "bark")],
        discriminator: { propertyName: "type" },
      },
      Cat: kind("cat", "purr"),
    }),
  });
  const service = serviceOf("zoo", json, "zoo.json");
  const shape = new Shapes(service.document.root).at("#/components/schemas/One", "One");
  expect(shape.variants.map(({ caption }) => caption)).toEqual(["cat", "dog"]);
  const { text } = drawWhole(service, shape);
  expect([...text.matchAll(/<li id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
    "Cat.type",
    "Cat.purr",
    "One:2.type",
    "One:2.bark",
  ]);
});

it("shows what a document says as text, never as HTML", () => {
  const description = "As `<team>/<project>` or <b>bold</b> & *strong*.";
  const service = serviceOf(
    "x",
    JSON.stringify(documentOf({ One: { description, properties: { "<i>": {} } } })),
    "x.json",
  );
  const { text } = drawWhole(service, new Shapes(service.document.root).at("#/components/schemas/One", "One"));
  expect(text).toContain(
    "As <code>&lt;team&gt;/&lt;project&gt;</code> or &lt;b&gt;bold&lt;/b&gt; &amp; <em>strong</em>.",
  );
  expect(text).toContain("<code>&lt;i&gt;</code>");
});

it("does not show the rules and the basis of a schema as those of a field", () => {
  const two = { type: "object", "x-basis": "proposed", properties: { a: { type: "string", "x-basis": "adopted" } } };
  const shape = shapeOf({ properties: { two: { $ref: "#/components/schemas/Two" } } }, { Two: two });
  expect(shape.fields[0]?.shape).toMatchObject({ basis: undefined, componentBasis: "proposed" });
  expect(shape.fields[0]?.shape.fields[0]?.shape.basis).toBe("adopted");
});

it("shows since when something is deprecated", () => {
  const two = { type: "string", deprecated: true };
  expect(shapeOf({ ...two, "x-since": "1.1.0" }).deprecation).toBe("deprecated since 1.1.0");
  const shape = shapeOf(
    { oneOf: [{ $ref: "#/components/schemas/Two", deprecated: true }, { type: "number" }] },
    { Two: {} },
  );
  expect(shape.variants.map(({ shape: { deprecation } }) => deprecation)).toEqual(["deprecated", undefined]);
  const service = serviceOf("zoo", JSON.stringify(documentOf({ One: {} })), "zoo.json");
  expect(drawWhole(service, shape).text).toContain('<span class="deprecated">deprecated</span>');
});
