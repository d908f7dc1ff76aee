import { expect, it } from "vitest";
import type { Follow } from "./plan.ts";
import { sample } from "./sample.ts";
import { readProperty } from "./schema.ts";

const refer = (name: string): string => `${name}.yaml`;

it.each([
  ["id:string", false, { type: "string", description: "The id." }],
  ["created_at?:date-time", true, { type: "string", format: "date-time", description: "The created at." }],
  ["end:integer|null", false, { type: ["integer", "null"], description: "The end." }],
  ["tags:string[]", false, { type: "array", items: { type: "string" }, description: "The tags." }],
  ["owner:Model", false, { $ref: "Model.yaml" }],
  ["owner:Model|null", false, { anyOf: [{ $ref: "Model.yaml" }, { type: "null" }], description: "The owner." }],
])("reads %s", (text, optional, schema) => {
  expect(readProperty(text, refer)).toMatchObject({ optional, schema });
});

it.each([
  ["id", '"id" is not a property. Write name:type'],
  ["Id:string", '"Id" is not a valid name of a property. Write it in snake case'],
  ["id:text", '"text" is not a type. Choose string, integer'],
])("rejects %s", (text, message) => {
  expect(() => readProperty(text, refer)).toThrow(message);
});

it("creates a value with everything that a schema requires, and nothing else", () => {
  const schema = {
    required: ["id", "kind", "count", "when", "list", "other", "flag"],
    properties: {
      id: { type: "string" },
      kind: { enum: ["a", "b"] },
      count: { type: "integer", minimum: 3 },
      when: { type: "string", format: "date-time" },
      list: { type: "array", items: { const: 1 } },
      other: { $ref: "Other.yaml" },
      flag: { type: ["boolean", "null"] },
      left_out: { type: "string" },
    },
  };
  const follow: Follow = (target) => {
    expect(target).toBe("Other.yaml");
    return { schema: { type: "number" }, follow };
  };
  expect(sample(schema, follow)).toEqual({
    id: "demo id",
    kind: "a",
    count: 3,
    when: "2026-11-04T09:15:00Z",
    list: [1],
    other: 1,
    flag: true,
  });
});
