import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { Document } from "../../src/document.ts";
import type { JsonObject } from "../../src/json.ts";
import { formats } from "../../src/report/formats.ts";
import type { ServiceReport } from "../../src/report/model.ts";
import { reportService } from "../../src/service-report.ts";

export const count = 500;
export const names = Array.from({ length: count }, (_, index) => `thing-${index}`);

export function operation(name: string, isChanged: boolean): JsonObject {
  const schema = { type: "object", properties: { id: { type: "string" }, note: { type: "string" } } };
  return {
    operationId: name,
    summary: `Reads ${name}.`,
    parameters: [{ in: "query", name: "limit", schema: { type: "integer", maximum: isChanged ? 10 : 20 } }],
    responses: { "200": { description: "It was read.", content: { "application/json": { schema } } } },
  };
}

/** A document of 500 operations, of which the first few are changed. */
export function documentOf(changed: number, operationOf: (name: string, isChanged: boolean) => JsonObject): JsonObject {
  const paths = names.map((name, index) => [`/v1/${name}`, { get: operationOf(name, index < changed) }]);
  return { openapi: "3.1.0", info: { title: "Many", version: "1.0.0" }, paths: Object.fromEntries(paths) };
}

/** Compares a document of 500 operations with one of which some are changed, whose files are in a folder, and prints what changed. */
export function reportMany(
  changed: number,
  isSplit: boolean,
): { readonly report: ServiceReport; readonly texts: readonly string[]; readonly milliseconds: number } {
  const root = mkdtempSync(join(tmpdir(), "trainyard-many-"));
  const folder = join(root, "openapi/many");
  mkdirSync(join(folder, "paths"), { recursive: true });
  const written = (name: string, isChanged: boolean): JsonObject => {
    writeFileSync(join(folder, `paths/${name}.yaml`), stringify(operation(name, isChanged)));
    return { $ref: `paths/${name}.yaml` };
  };
  writeFileSync(join(folder, "openapi.yaml"), stringify(documentOf(changed, isSplit ? written : operation)));
  const [before, now] = [0, changed].map((some) => new Document("many", documentOf(some, operation)));
  try {
    const start = performance.now();
    const report = reportService(root, "many", before, now);
    const whole = { base: { name: "main" }, services: [report], idle: [] };
    const texts = Object.values(formats).map((format) => format(whole, "all.txt"));
    return { report, texts, milliseconds: performance.now() - start };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
