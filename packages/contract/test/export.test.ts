import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { generate, ownOptions } from "@trainyard/codegen/generate";
import { redocly } from "@trainyard/document/files";
import { asOpenApi31, asOpenApi32 } from "@trainyard/document";
import { afterAll, expect, it } from "vitest";
import { bundle } from "./draft.ts";

const folder = mkdtempSync(join(tmpdir(), "trainyard-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const all = ["auxiliary", "inference", "training"];
/** All of them take ten seconds; one with a stream, three. */
const services = process.env["TRAINYARD_WHOLE"] === undefined ? ["inference"] : all;

it.each(all)("%s is the same after conversion to OpenAPI 3.2 and back", (service) => {
  expect(asOpenApi31(asOpenApi32(bundle(service)))).toEqual(bundle(service));
});

it("writes valid OpenAPI 3.2 documents that generate the same clients", { tags: ["long"] }, async () => {
  const cli = join(import.meta.dirname, "../src/cli.ts");
  const options = ["--conditions=@trainyard/source", cli, "export", "--openapi", "3.2", "--out", folder];
  await promisify(execFile)(process.execPath, [...options, ...services]);

  // The one exception of the documents in 3.1: a path that is given with its slash.
  writeFileSync(
    join(folder, "redocly.yaml"),
    "telemetry: off\nextends: [recommended-strict]\nrules: { no-path-trailing-slash: off }\n",
  );
  const files = services.map((service) => `${service}.openapi.json`);
  expect(await redocly(["lint", ...files, "--config", "redocly.yaml"], folder)).toMatchObject({ code: 0 });

  for (const service of services) {
    const text = readFileSync(join(folder, `${service}.openapi.json`), "utf8");
    expect(text).toMatch(/^\{\n {2}"openapi": "3\.2\.0"/);
    expect([service, text.includes('"itemSchema"')]).toEqual([service, service !== "auxiliary"]);
    mkdirSync(join(folder, "openapi", service), { recursive: true });
    mkdirSync(join(folder, "packages", service), { recursive: true });
    renameSync(join(folder, `${service}.openapi.json`), join(folder, "openapi", service, "openapi.yaml"));
    writeFileSync(join(folder, "packages", service, "package.json"), "{}");
  }
  await generate(folder, ownOptions);
  for (const service of services) {
    const generated = join("packages", service, "src/generated");
    const [made, own] = [join(folder, generated), join(import.meta.dirname, "../../..", generated)].map(texts);
    expect(made).toEqual(own);
  }
});

function texts(directory: string): Record<string, string> {
  return Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}
