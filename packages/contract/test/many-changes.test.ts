/** @module-tag long */
import { expect, it } from "vitest";
import { compareWhole } from "../src/compare/service.ts";
import { Document } from "../src/document.ts";
import type { JsonObject } from "../src/json.ts";
import { documentOf, names, operation, reportMany } from "./gate/many.ts";

it.each([
  ["in one file", false],
  ["in a file for each operation", true],
])("500 changes are found and located: %s", (_, isSplit) => {
  const { report, texts } = reportMany(names.length, isSplit);
  expect(report.changes).toHaveLength(names.length);
  expect(report.changes.every(({ at: { line } }) => (line ?? 1) > 1)).toBe(true);
  for (const text of texts) expect(text).toContain("many:");
});

const link = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

it.each<[string, (next: JsonObject) => JsonObject]>([
  ["properties", (next) => ({ type: "object", properties: { next } })],
  ["items", (next) => ({ type: "array", items: next })],
  ["unions with null", (next) => ({ anyOf: [next, { type: "null" }] })],
  ["parts", (next) => ({ allOf: [next, { type: "object", properties: { id: { type: "string" } } }] })],
])("a change at the end of 500 schemas is found: %s", (_, schemaOf) => {
  const [before, now] = ["string", "integer"].map((type) => {
    const schemas = names.map((name, index): [string, JsonObject] => {
      const next = names[index + 1];
      return [name, next === undefined ? { type: "object", properties: { end: { type } } } : schemaOf(link(next))];
    });
    const content = { "application/json": { schema: link(names[0] ?? "") } };
    const get = { operationId: "get", responses: { "200": { description: "", content } } };
    return new Document("chain", {
      ...documentOf(0, operation),
      paths: { "/": { get } },
      components: { schemas: Object.fromEntries(schemas) },
    });
  });
  expect(compareWhole("chain", before, now)).toMatchObject([{ kind: "type-changed", verdict: "breaking" }]);
});
