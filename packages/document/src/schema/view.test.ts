import { expect, it } from "vitest";
import type { Json } from "./node.ts";
import { schemaView } from "./view.ts";

const link = (name: number): Json => ({ $ref: `#/components/schemas/S${name}` });

it.each<[string, (next: Json) => Json]>([
  ["references", (next) => next],
  ["unions with null", (next) => ({ anyOf: [{ type: "null" }, next] })],
  ["allOf", (next) => ({ allOf: [next, { type: "object", properties: { id: { type: "string" } } }] })],
])("reads a chain of thousands of schemas: %s", (_, schemaOf) => {
  const schemas: Record<string, Json> = { S3000: { type: "object", required: ["end"] } };
  for (let index = 0; index < 3000; index++) schemas[`S${index}`] = schemaOf(link(index + 1));
  const view = schemaView({ components: { schemas } }, { value: link(0), pointer: "/anywhere" });
  expect(view.keys.get("required")?.value).toEqual(["end"]);
});

it("names a schema that contains itself", () => {
  const schemas = { S0: { anyOf: [{ type: "null" }, link(1)] }, S1: link(0) };
  expect(() => schemaView({ components: { schemas } }, { value: link(0), pointer: "/anywhere" })).toThrow(
    /^The schema at \/components\/schemas\/S[01] contains itself\.$/,
  );
});
