import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Document } from "../src/document.ts";
import type { JsonObject } from "../src/json.ts";
import { formats, onScreen } from "../src/report/formats.ts";
import type { CheckReport } from "../src/report/model.ts";
import { reportService } from "../src/service-report.ts";
import type { Consumer } from "../src/uses/uses.ts";

const root = mkdtempSync(join(tmpdir(), "trainyard-report-test-"));
const names = Array.from({ length: 500 }, (_, index) => `thing${index}`);

/** What one of many operations answers with, beside its id. */
type Field = (index: number, version: "old" | "new") => JsonObject;

const equal: Field = (_, version): JsonObject => (version === "old" ? { size: { type: "integer" } } : {});
const different: Field = (index, version) => (version === "old" ? { [`size${index}`]: { type: "integer" } } : {});
const reworded: Field = (_, version) => ({ size: { description: `The ${version} words.` } });

function documentOf(field: Field, version: "old" | "new", count: number): Document {
  const operations = names.map((name): [string, JsonObject] => {
    const content = { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
    const responses = { "200": { description: "It was read.", content } };
    return [`/${name}`, { get: { operationId: name, "x-client-method": `${name}.get`, responses } }];
  });
  const schemas = names.map((name, index): [string, JsonObject] => {
    const more = field(index, index < count ? version : "old");
    return [name, { type: "object", properties: { id: { type: "string" }, ...more } }];
  });
  return new Document("many", {
    openapi: "3.1.0",
    "x-trainyard": 1,
    info: { title: "Many", version: "1.0.0" },
    paths: Object.fromEntries(operations),
    components: { schemas: Object.fromEntries(schemas) },
  });
}

/** The report on a service that changed in so many places since its release. */
function reportOf(count: number, field: Field, consumers: readonly Consumer[] = [], services = 1): CheckReport {
  const [before, now] = [documentOf(field, "old", count), documentOf(field, "new", count)];
  writeFileSync(join(root, "openapi/released/many.json"), JSON.stringify(before.root));
  const report = reportService(root, "many", before, now, { consumers });
  const all = Array.from({ length: services }, (_, index) => ({ ...report, service: `many${index}` }));
  return { base: { name: "main" }, services: all, idle: [] };
}

beforeAll(() => {
  mkdirSync(join(root, "openapi/released"), { recursive: true });
  vi.stubEnv("TMPDIR", root);
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** What a format prints, and the whole report in the file that it names. */
function shown(report: CheckReport, format: string) {
  const screen = onScreen(report, formats[format] ?? String);
  const file = /The whole report: (.*)/.exec(screen)?.[1];
  return { screen, lines: screen.trim().split(/\n|<br>/), whole: file === undefined ? "" : readFileSync(file, "utf8") };
}

describe.each(["text", "markdown"])("one screen: %s", (format) => {
  it.each<[string, number, Field]>([
    ["1 change", 1, equal],
    ["40 equal changes", 40, equal],
    ["40 different changes", 40, different],
    ["500 equal changes", 500, equal],
    ["13 different changes", 13, different],
    ["500 different changes", 500, different],
    ["500 neutral changes", 500, reworded],
  ])("has the verdict of %s, and the rest is in the file that it names", (_, count, field) => {
    const { screen, lines, whole } = shown(reportOf(count, field), format);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(screen).not.toMatch(/and \d+\.\d+ more/);
    expect(screen).toContain(field === reworded ? "`info.version` 1.0.0 is right" : "`info.version` has to be 2.0.0");
    if (count === 1) return expect(whole).toBe("");
    for (const name of names.slice(0, count)) expect(whole).toMatch(new RegExp(`\\b${name}\\.size`));
  });

  it("shows what is the same in many places once, and neutral changes as one line with their count", () => {
    const changes = (field: Field): string[] =>
      shown(reportOf(500, field), format).lines.filter((line) => /^(?: {2}|\| \**)(?:breaking|neutral)/.test(line));
    expect(changes(equal)).toEqual([expect.stringContaining("thing0.size")]);
    expect(shown(reportOf(500, equal), format).screen).toContain("… and the same in 499 more schemas");
    expect(changes(reworded)).toHaveLength(1);
    expect(shown(reportOf(500, reworded), format).screen).toContain("… and 499 more neutral changes");
  });

  it("counts what does not fit", () => {
    const { screen } = shown(reportOf(500, different), format);
    expect(screen).toMatch(/^(?:### )?many0: 500 breaking changes$/m);
    expect(screen).toMatch(/^(?: {2}|\| )… and 4\d\d more$/m);
    expect(screen).toMatch(/thing0\.size0 leaves .* … and the same holds for 499 more/);
    expect(screen).toMatch(/Accepted: .*\n *… and 49\d more$/m);
  });

  it("is one of several services, too", () => {
    for (const services of [3, 30]) {
      const { screen, lines, whole } = shown(reportOf(40, different, [], services), format);
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(screen).toContain("`info.version` has to be 2.0.0");
      expect(whole).toContain(`many${services - 1}: 40 breaking changes`);
    }
    expect(shown(reportOf(40, different, [], 30), format).screen).toMatch(/^Services: … and \d+ more$/m);
  });
});

it("counts the operations of a removed service", () => {
  const services = [reportService(root, "many", documentOf(equal, "old", 0), undefined)];
  const { screen } = shown({ base: { name: "main" }, services, idle: [] }, "text");
  expect(screen).toMatch(/thing0\.get: The operation was removed\. {2}\S+ … and the same in 499 more operations$/m);
});

it("has one annotation for each cause", () => {
  const annotations = (field: Field): string[] =>
    shown(reportOf(500, field), "github").lines.filter((line) => line.startsWith("::"));
  expect(annotations(equal)).toEqual([
    expect.stringMatching(/^::error .*title=Wrong version::/),
    expect.stringMatching(/^::error .*title=Leaves too early::/),
    expect.stringMatching(/^::error .*title=Breaking%3A thing0\.size::.* … and the same in 499 more schemas%0ABreaks/),
  ]);
  expect(annotations(different)).toHaveLength(502);
});

it("names a few lines of programs, and each in the whole report", () => {
  const places = names.map((name) => `src/${name}.ts:1`);
  const read = Object.fromEntries(places.map((place, index) => [`thing${index}.size`, [place]]));
  const operations = Object.fromEntries(names.map((name) => [`${name}.get`, [`src/${name}.ts:2`]]));
  const uses = { operations, read, sent: {}, types: {} };
  const consumers = [{ file: "uses.json", services: { many: uses } }];
  const { screen, whole } = shown(reportOf(500, equal, consumers), "text");
  expect(screen).toMatch(/Breaks src\/thing0\.ts:1, \S+, \S+ and 497 more \(uses\.json\)/);
  for (const place of places) expect(whole).toContain(`Breaks ${place} (uses.json)`);
});

it.each([
  ["many", "Exit code 1: see each ✗ above."],
  ["local", "Exit code 0: it is not judged before its first release."],
])("judges what breaks before the first release of %s", (service, code) => {
  rmSync(join(root, "openapi/released"), { recursive: true, force: true });
  const [before, now] = [documentOf(equal, "old", 3), documentOf(equal, "new", 3)];
  const services = [reportService(root, service, before, now)];
  for (const format of ["text", "markdown"]) {
    const { screen } = shown({ base: { name: "main" }, services, idle: [] }, format);
    expect(screen).toContain("`info.version` is 1.0.0 until the first release.");
    expect(screen).toContain(`Programs that exchange requests and responses break. ${code}`);
    expect(screen.includes("Nobody accepted this: thing0.size: The property `size` was removed. … and 2 more")).toBe(
      service === "many",
    );
  }
});
