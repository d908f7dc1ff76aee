/** @module-tag long */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { compareWhole } from "../src/compare/service.ts";
import { Document } from "../src/document.ts";
import type { JsonObject } from "../src/json.ts";
import { formats } from "../src/report/formats.ts";
import { reportService } from "../src/service-report.ts";

const count = 500;
const names = Array.from({ length: count }, (_, index) => `thing-${index}`);

function operation(name: string, isChanged: boolean): JsonObject {
  const schema = { type: "object", properties: { id: { type: "string" }, note: { type: "string" } } };
  return {
    operationId: name,
    summary: `Reads ${name}.`,
    parameters: [{ in: "query", name: "limit", schema: { type: "integer", maximum: isChanged ? 10 : 20 } }],
    responses: { "200": { description: "It was read.", content: { "application/json": { schema } } } },
  };
}

/** A document of 500 operations, of which the first few are changed. */
function documentOf(changed: number, operationOf: (name: string, isChanged: boolean) => JsonObject): JsonObject {
  const paths = names.map((name, index) => [`/v1/${name}`, { get: operationOf(name, index < changed) }]);
  return { openapi: "3.1.0", info: { title: "Many", version: "1.0.0" }, paths: Object.fromEntries(paths) };
}

/** Milliseconds to compare a document with its changed one, whose files are in a folder, and to print what changed. The faster of two runs. */
function measure(changed: number, isSplit: boolean): number {
  const root = mkdtempSync(join(tmpdir(), "trainyard-many-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "openapi/many");
  mkdirSync(join(folder, "paths"), { recursive: true });
  const written = (name: string, isChanged: boolean): JsonObject => {
    writeFileSync(join(folder, `paths/${name}.yaml`), stringify(operation(name, isChanged)));
    return { $ref: `paths/${name}.yaml` };
  };
  writeFileSync(join(folder, "openapi.yaml"), stringify(documentOf(changed, isSplit ? written : operation)));
  const [before, now] = [0, changed].map((some) => new Document("many", documentOf(some, operation)));
  const times = [1, 2].map(() => {
    const start = performance.now();
    const report = reportService(root, "many", before, now);
    const { changes } = report;
    for (const format of Object.values(formats))
      expect(format({ base: { name: "main" }, services: [report], idle: [] }, "all.txt")).toContain("many:");
    expect(changes.every(({ at: { line } }) => (line ?? 1) > 1)).toBe(true);
    expect(changes).toHaveLength(changed);
    return performance.now() - start;
  });
  return Math.min(...times);
}

it.each([
  ["in one file", false],
  ["in a file for each operation", true],
])("500 changes take at most ten times as long as one: %s", (_, isSplit) => {
  expect(measure(count, isSplit) / measure(1, isSplit)).toBeLessThanOrEqual(10);
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
