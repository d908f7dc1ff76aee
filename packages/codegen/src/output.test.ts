/** @module-tag long */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { original } from "../test/library.ts";
import { buildValidators } from "./validators.ts";
import { generate } from "./generate.ts";

const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
const base = join(import.meta.dirname, "../../../tsconfig.base.json");
const core = join(import.meta.dirname, "../../core/src");
const cache = join(import.meta.dirname, "../.cache");

let root = "";
beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  root = mkdtempSync(join(cache, "output-"));
  cpSync(original, root, { recursive: true });
  await generate(root);
  await buildValidators(root, "atlas");
});
afterAll(() => rmSync(root, { recursive: true }));

/** The compiler errors of the generated package and a program beside it. */
async function compile(program: string): Promise<string[]> {
  const atlas = join(root, "packages/atlas");
  writeFileSync(join(atlas, "program.ts"), program);
  const compilerOptions = {
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: {
      "@trainyard/core": [join(core, "index.ts")],
      "@trainyard/core/http": [join(core, "http.ts")],
      "@trainyard/core/chat": [join(core, "chat/index.ts")],
      "@trainyard/core/validation": [join(core, "validation/index.ts")],
    },
  };
  writeFileSync(
    join(atlas, "tsconfig.json"),
    JSON.stringify({ extends: base, compilerOptions, include: ["src", "program.ts"] }),
  );
  try {
    await promisify(execFile)(process.execPath, [tsc, "-p", atlas, "--pretty", "false"], { cwd: atlas });
    return [];
  } catch (error) {
    if (!(error instanceof Error) || !("stdout" in error)) throw error;
    // Errors inside core are left to core's own tests.
    return String(error.stdout)
      .split("\n")
      .filter((line) => /^(src|program)\b/.test(line));
  }
}

it("compiles with its type tests under strict, as a program uses it", async () => {
  // In a built package, the types of the validators are beside dist/generated.
  const types = readFileSync(join(root, "packages/atlas/dist/validators.d.ts"), "utf8");
  writeFileSync(join(root, "packages/atlas/src/validators.d.ts"), types);
  const program = `
import { createAtlasClient } from "./src/generated/client.ts"; import { createAtlasHttp } from "./src/generated/http.ts";
import type { FeatureOrPin, Map, NewMap } from "./src/generated/schema.ts";
import { isMap } from "./src/validators.js";

const atlas = createAtlasClient({ baseUrl: "http://127.0.0.1:4010", apiKey: "key", reader: "house/name" });
const made: Map = await atlas.maps.create({ name: "Coast", tags: ["sea"] as const }, { idempotencyKey: "1" });
for await (const map of atlas.maps.list({ limit: 3 })) console.log(map.sheets.sort());
const removed: number[] = (await atlas.maps.delete(made.id, { sheets: [1] })).removed;
const sheet: unknown = await atlas.maps.sheets.get({ map_id: made.id, sheet_no: 1 }, { scale: 500 });
const stream = await atlas.guide.ask({ words: ["where"], stream: true });
for await (const { choices } of stream) console.log(choices[0]?.delta.content);
const whole: string | null | undefined = (await stream.final()).choices[0]?.message.content;
export function widthOf(item: FeatureOrPin): string {
  if (item.kind === undefined) return String(item.pin);
  return item.kind === "line" ? (item.width ?? "thin") : String(item.at.length);
}
export function nameOf(value: unknown): string {
  return isMap(value) ? value.name : "none";
}
const { data } = await createAtlasHttp().GET("/v1/maps", { params: { query: { limit: 1 } } });
const names: string[] | undefined = data?.data.map(({ name }) => name);
const body: NewMap = { name: "Coast" };
console.log(removed, sheet, whole, names, body);
`;
  expect(await compile(program)).toEqual([]);
});

it("rejects names that the contract does not have, with suggestions", async () => {
  const program = `
import { createAtlasClient } from "./src/generated/client.ts";
const atlas = createAtlasClient();
void atlas.maps.create({ name: "Coast", pubic: true });
void atlas.maps.list({ limt: 3 });
void atlas.maps.list({}, { idempotencyKey: "1" });
void atlas.features.draw({ items: [{ kind: "line", points: [], widht: "thin" }] });
`;
  expect(await compile(program)).toEqual([
    "program.ts(4,41): error TS2561: Object literal may only specify known properties, but 'pubic' does not exist in type 'NewMap'. Did you mean to write 'public'?",
    "program.ts(5,24): error TS2561: Object literal may only specify known properties, but 'limt' does not exist in type 'MapsListQuery'. Did you mean to write 'limit'?",
    "program.ts(6,28): error TS2561: Object literal may only specify known properties, but 'idempotencyKey' does not exist in type 'CallOptions'. Did you mean to write 'idempotencyKeys'?",
    "program.ts(7,64): error TS2561: Object literal may only specify known properties, but 'widht' does not exist in type 'LineFeature'. Did you mean to write 'width'?",
  ]);
});
