import { gzipSync } from "node:zlib";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ajvOptions, faultsOf, prepareSchema, type Fault } from "@trainyard/core/validation";
import { Ajv2020 } from "ajv/dist/2020.js";
import { build } from "esbuild";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { atlasBundle } from "../test/library.ts";
import { judge } from "./read-service.ts";
import { validatorsModule, type ValidatorsModule } from "./validators.ts";

interface Guard {
  (value: unknown): boolean;
  faults(value: unknown): Fault[];
  readonly checks: readonly string[];
  readonly "~standard": { readonly version: number; readonly vendor: string; validate(value: unknown): object };
}

// Beside the source, so that its import of core resolves.
const cache = join(import.meta.dirname, "../.cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "validators-"));
let written: ValidatorsModule;
let guards: Record<string, Guard>;
beforeAll(async () => {
  written = await validatorsModule(judge("atlas", await atlasBundle()).service.document);
  writeFileSync(join(folder, "validators.js"), written.code);
  guards = await import(/* @vite-ignore */ pathToFileURL(join(folder, "validators.js")).href);
});
afterAll(() => rmSync(folder, { recursive: true }));

function guard(name: string): Guard {
  const found = guards[name];
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

const id = "6f1c2f5e-3a5b-4a0e-9f34-0c2f6a4b7d10";
const map = { id, name: "Coast", sheets: [1, 2] };
const pin = { pin: 3, features: [{ kind: "point", at: [1, 2] }] };

it.each([
  ["isMap", ["maps.create response"]],
  ["isNewMap", ["maps.create request"]],
  ["isPin", []],
])("lists the bodies and answers that %s applies to", (name, checks) => {
  expect(guard(name).checks).toEqual(checks);
});

it.each<[string, unknown, string[]]>([
  ["isMap", map, []],
  ["isMap", { ...map, printed_at: null, colour: "blue" }, []],
  ["isMap", { ...map, printed_at: "1999-12-31T23:59:59+01:00" }, []],
  ["isMap", { ...map, printed_at: "1999-02-30T00:00:00Z" }, ["printed_at datetime_parsing"]],
  ["isMap", { ...map, id: "6f1c" }, ["id uuid_parsing"]],
  ["isMap", { id, name: 3, sheets: [1, 2.5] }, ["name string_type", "sheets.1 int_type"]],
  ["isMap", {}, ["id missing", "name missing", "sheets missing"]],
  ["isMap", [map], [" dict_type"]],
  ["isNewMap", { name: "Coast" }, []],
  ["isNewMap", { name: "" }, ["name too_short"]],
  ["isNewMap", { name: "😀", weights: { sheet: null } }, []],
  ["isNewMap", { name: "Coast", colour: "blue" }, ["colour extra_forbidden"]],
  ["isFeature", { kind: "line", points: [[0, 1]], width: "thin" }, []],
  ["isFeature", { kind: "circle" }, ["kind union_tag_invalid"]],
  ["isFeature", { at: [1, 2] }, ["kind missing"]],
  ["isFeature", { kind: "point", at: [1] }, ["at too_short"]],
  ["isFeature", [5], [" dict_type"]],
  ["isFeatureOrPin", pin, []],
  ["isFeatureOrPin", { ...pin, kind: "brass" }, []],
  ["isFeatureOrPin", { pin: 3, features: [{ kind: "dot" }] }, ["features.0.kind union_tag_invalid"]],
  ["isDrawing", { items: [pin, { kind: "line", points: "none" }], label: null }, ["items.1.points list_type"]],
  ["isDrawing", { items: [], label: { lines: [1] } }, ["label.lines.0 string_type"]],
  ["isOpeningHours", { note: "Closed in winter.", monday: 8, sunday: null }, []],
  ["isOpeningHours", { note: "Closed in winter.", monday: "8" }, ["monday float_type"]],
  ["isMapsDeleteBody", { sheets: [1] }, []],
  ["isMapsDeleteBody", null, [" dict_type"]],
])("%s judges %j", (name, value, expected) => {
  const judge = guard(name);
  expect(
    judge
      .faults(value)
      .map(({ loc, type }) => `${loc.join(".")} ${type}`)
      .toSorted(),
  ).toEqual(expected);
  expect(judge(value)).toBe(expected.length === 0);
});

const keys = fc.constantFrom(..."kind name sheets points at pin features items label lines width id".split(" "));
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom("point", "line", "area", "thin", "", id, 0, 1.5, null, true),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(keys, tie("any"), { maxKeys: 4 }),
    fc.record({ kind: fc.constantFrom("point", "line", "circle"), at: tie("any"), points: tie("any") }),
    fc.record({ pin: fc.integer(), features: fc.array(tie("any"), { maxLength: 2 }) }),
    fc.record({ items: fc.array(tie("any"), { maxLength: 3 }), label: tie("any") }),
  ),
})).any;

it("reports the faults that plain Ajv finds", async () => {
  const document = judge("atlas", await atlasBundle()).service.document;
  const ajv = new Ajv2020({ ...ajvOptions, code: {} }).addSchema(prepareSchema(document), "document");
  const judges = Object.keys(document.components?.schemas ?? {}).map(
    (name) => [guard(`is${name}`), ajv.compile({ $ref: `document#/components/schemas/${name}` })] as const,
  );
  expect(judges.length).toBe(Object.keys(guards).length);
  fc.assert(
    fc.property(values, (value) => {
      for (const [ours, theirs] of judges) {
        expect(ours.faults(value)).toEqual(theirs(value) ? [] : faultsOf(theirs.errors ?? [], value));
      }
    }),
    { numRuns: 300 },
  );
});

it("validates many invalid items as fast as a few valid ones, and reports a hundred", () => {
  let looks = 0;
  const items = new Proxy(
    Array.from({ length: 50_000 }, () => ({ kind: "circle" })),
    { get: (target, key, receiver) => (looks++, Reflect.get(target, key, receiver)) },
  );
  expect(guard("isDrawing").faults({ items })).toHaveLength(101);
  expect(looks).toBeLessThan(3000);
});

it("is a Standard Schema", () => {
  const standard = guard("isMap")["~standard"];
  expect([standard.version, standard.vendor]).toEqual([1, "trainyard"]);
  expect(standard.validate(map)).toEqual({ value: map });
  expect(standard.validate({ ...map, sheets: [1, "2"] })).toEqual({
    issues: [{ message: expect.any(String), path: ["sheets", 1] }],
  });
});

it("has one validator for each schema, inline bodies too, and exports nothing else", () => {
  expect(Object.keys(guards)).toEqual(
    expect.arrayContaining(["isMap", "isMapsDeleteBody", "isMapsDeleteResult", "isDetailError"]),
  );
  const declared = [...written.types.matchAll(/^export declare const (\w+): Validator<schema\.(\w+)>;$/gm)];
  expect(declared.map(([, name]) => name)).toEqual(Object.keys(guards).toSorted());
  expect(declared.every(([, name, schema]) => name === `is${schema}`)).toBe(true);
});

it("depends only on core, and is deterministic", async () => {
  const imports = [...written.code.matchAll(/\bfrom\s*"([^"]+)"|require\(/g)].map(([, module]) => module);
  expect(imports).toEqual(["@trainyard/core/validation"]);
  expect(await validatorsModule(judge("atlas", await atlasBundle()).service.document)).toEqual(written);
});

async function sizeOf(...names: string[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${names.join(", ")} } from "./validators.js";`, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    external: ["@trainyard/core/validation"],
  });
  return gzipSync(outputFiles[0]?.contents ?? "").length;
}

it("is tree-shakable: a program includes only the validators that it uses", async () => {
  const one = await sizeOf("isDetailError");
  expect(one).toBeLessThan(600);
  expect(await sizeOf(...Object.keys(guards))).toBeGreaterThan(3 * one);
});

it("reads schemas that are `true` or `false`, and `anyOf` with a discriminator", async () => {
  const branch = (kind: string) => ({ properties: { kind: { const: kind } }, required: ["kind"] });
  const schemas = {
    A: branch("a"),
    B: branch("b"),
    Either: { anyOf: ["A", "B"].map(ref), discriminator: { propertyName: "kind" } },
    Booleans: { type: "object", properties: { any: true, none: false } },
    Anything: true,
  };
  const document = structuredClone(await atlasBundle());
  Object.assign(document.components?.schemas ?? {}, schemas);
  writeFileSync(join(folder, "strange.js"), (await validatorsModule(judge("strange", document).service.document)).code);
  const { isEither, isBooleans, isAnything }: Record<string, Guard> = await import(
    /* @vite-ignore */ pathToFileURL(join(folder, "strange.js")).href
  );
  expect([{ kind: "a" }, { kind: "c" }, {}].map((value) => isEither?.(value))).toEqual([true, false, false]);
  expect([{ any: 1 }, { none: 1 }].map((value) => isBooleans?.(value))).toEqual([true, false]);
  expect(isAnything?.(null)).toBe(true);
});

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}
