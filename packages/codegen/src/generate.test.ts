import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { generated, library, original, refusal } from "../test/library.ts";
import { complaints, generate, summarize } from "./generate.ts";

const files = ["client.test-d.ts", "client.ts", "http.ts", "openapi.json", "openapi.yaml", "schema.ts"];

let made = "";
let summary: string[] = [];
beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), "trainyard-made-"));
  cpSync(original, made, { recursive: true });
  summary = summarize(await generate(made));
  return () => rmSync(made, { recursive: true });
});

/** A repository with everything generated. */
function generatedLibrary(): string {
  const root = library();
  cpSync(made, root, { recursive: true });
  return root;
}

function contents(root: string): string[] {
  return files.map((file) => readFileSync(join(generated(root), file), "utf8"));
}

it("writes all files of a service, the same in JSON and YAML, and nothing on the second run", async () => {
  const root = generatedLibrary();
  expect(summary).toEqual([`atlas  7 operations, 6 files: wrote ${files.join(", ")}`]);
  expect(readdirSync(generated(root)).toSorted()).toEqual(files);
  const [, , , json = "", yaml = ""] = contents(root);
  expect(parse(yaml)).toEqual(JSON.parse(json));
  const times = files.map((file) => statSync(join(generated(root), file)).mtimeMs);
  expect(summarize(await generate(root))).toEqual(["atlas  7 operations, 6 files: nothing changed"]);
  expect(files.map((file) => statSync(join(generated(root), file)).mtimeMs)).toEqual(times);
});

it("writes the same bytes for another folder, and for another order of keywords", async () => {
  const reversed = library({
    "openapi/atlas/schemas/Label.yaml": (text) => {
      const blocks = text.trimEnd().split(/\n(?=\w)/);
      return `${blocks.toReversed().join("\n")}\n`;
    },
    "openapi/atlas/paths/hours-get.yaml": (text) =>
      `${text
        .trimEnd()
        .split(/\n(?=\w)/)
        .toReversed()
        .join("\n")}\n`,
  });
  const before = process.cwd();
  process.chdir(join(reversed, "openapi"));
  try {
    await generate(reversed);
  } finally {
    process.chdir(before);
  }
  expect(contents(reversed)).toEqual(contents(made));
});

it("reports stale, missing and surplus files with the command that fixes them, and touches none", async () => {
  const root = generatedLibrary();
  const folder = generated(root);
  writeFileSync(join(folder, "client.ts"), `${readFileSync(join(folder, "client.ts"), "utf8")}// By hand.\n`);
  unlinkSync(join(folder, "schema.ts"));
  mkdirSync(join(folder, "old"));
  writeFileSync(join(folder, "old/old.ts"), "");
  const cure = "fix it with: npx -y pnpm@12 generate";
  expect(complaints(await generate(root, { check: true }))).toEqual([
    `packages/atlas/src/generated/schema.ts is missing: ${cure}`,
    `packages/atlas/src/generated/client.ts does not match openapi/atlas: ${cure}`,
    `packages/atlas/src/generated/old/old.ts is no longer generated: ${cure}`,
  ]);
  expect(existsSync(join(folder, "old/old.ts"))).toBe(true);
  expect(summarize(await generate(root))).toEqual([
    "atlas  7 operations, 6 files: wrote schema.ts, client.ts, removed old/old.ts",
  ]);
  expect(existsSync(join(folder, "old"))).toBe(false);
  expect(complaints(await generate(root, { check: true }))).toEqual([]);
});

it("generates the services that have changed, and no others", async () => {
  const root = generatedLibrary();
  cpSync(join(root, "openapi/atlas"), join(root, "openapi/charts"), { recursive: true });
  mkdirSync(join(root, "packages/charts"));
  writeFileSync(join(root, "packages/charts/package.json"), "{}");
  writeFileSync(join(generated(root), "schema.ts"), "");
  expect(summarize(await generate(root, { changed: ["charts", "gone"] }))).toEqual([
    `charts  7 operations, 6 files: wrote ${files.join(", ")}`,
  ]);
  expect(readFileSync(join(generated(root), "schema.ts"), "utf8")).toBe("");
  expect(summarize(await generate(root, { changed: ["atlas"] }))).toEqual([
    "atlas  7 operations, 6 files: wrote schema.ts",
  ]);
});

it("writes nothing if any document is invalid", async () => {
  const root = generatedLibrary();
  const before = contents(root);
  // The other service is valid and would be written; this one has changed and is invalid.
  writeFileSync(
    join(root, "openapi/atlas/paths/hours-get.yaml"),
    "parameters: [{ name: id, in: path, required: true, schema: { type: string } }]\n",
  );
  mkdirSync(join(root, "packages/other"), { recursive: true });
  writeFileSync(join(root, "packages/other/package.json"), "{}");
  mkdirSync(join(root, "openapi/other"));
  const other = { openapi: "3.1.0", info: { title: "Other", version: "1.0.0" }, paths: {} };
  writeFileSync(join(root, "openapi/other/openapi.yaml"), JSON.stringify(other));
  expect(await refusal(generate(root))).toMatchObject([
    { file: "openapi/atlas/paths/hours-get.yaml", line: 1, message: "The path parameter id is not in the path." },
  ]);
  expect(contents(root)).toEqual(before);
  expect(existsSync(join(root, "packages/other/src"))).toBe(false);
});

it("refuses a dialect that is not known, with its place", async () => {
  const root = library({ "openapi/atlas/openapi.yaml": (text) => text.replace("x-trainyard: 1", "x-trainyard: 2") });
  expect(await refusal(generate(root))).toEqual([
    {
      file: "openapi/atlas/openapi.yaml",
      line: 3,
      column: 1,
      message: "`x-trainyard` is 2, and the only number that is known is 1.",
      cure: "Write `x-trainyard: 1`, or use a version of this tool that knows the other number.",
    },
  ]);
});

it("reports how to create a missing package, and removes the generated files of a deleted service", async () => {
  const root = generatedLibrary();
  renameSync(join(root, "openapi/atlas"), join(root, "openapi/charts"));
  const report = await generate(root);
  expect(summarize(report)).toEqual([
    `atlas  0 files: removed ${files.join(", ")}`,
    "charts: openapi/charts has no package. Create one: `npx -y pnpm@12 contract new service charts`.",
  ]);
  expect(existsSync(generated(root))).toBe(false);
  rmSync(join(root, "openapi"), { recursive: true });
  expect(summarize(await generate(root))).toEqual([]);
});
