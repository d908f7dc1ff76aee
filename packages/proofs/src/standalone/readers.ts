import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@trainyard/release/run";
import type { Bundle } from "./bundles.ts";

/** Tools that validate a document, or serve it. */
export const readers = ["swagger-parser", "scalar", "spectral", "msw"] as const;

export type Reader = (typeof readers)[number];

/** Programs for these tools. As text, because their imports do not exist here. */
const programs: Readonly<Record<Exclude<Reader, "spectral">, string>> = {
  "swagger-parser": `import SwaggerParser from "@apidevtools/swagger-parser";
await SwaggerParser.validate(process.argv[2]);
`,
  scalar: `import { readFileSync } from "node:fs";
import { validate } from "@scalar/openapi-parser";
const { valid, errors } = await validate(readFileSync(process.argv[2], "utf8"));
if (!valid) throw new Error(JSON.stringify(errors, null, 2));
`,
  // The handlers from the document respond to each GET without parameters.
  msw: `import { readFileSync } from "node:fs";
import { fromOpenApi } from "@mswjs/source/open-api";
import { getResponse } from "msw";
const document = JSON.parse(readFileSync(process.argv[2], "utf8"));
const handlers = await fromOpenApi(document);
let asked = 0;
for (const [path, item] of Object.entries(document.paths)) {
  if (!("get" in item) || path.includes("{")) continue;
  const response = await getResponse(handlers, new Request(document.servers[0].url + path));
  if (response?.status !== 200) throw new Error("GET " + path + " is answered " + response?.status);
  asked++;
}
if (asked === 0) throw new Error("No operation was called.");
`,
};

/** Two warnings remain: the document has no contact yet, and one path of the interface ends in a slash. */
const ruleset = {
  extends: ["spectral:oas"],
  rules: { "info-contact": "off", "path-keys-no-trailing-slash": "off" },
};

/** Reads a bundle. @throws Error with the reader's complaints */
export function read(node: string, folder: string, reader: Reader, { file }: Bundle): void {
  if (reader === "spectral") {
    writeFileSync(join(folder, "spectral.json"), JSON.stringify(ruleset));
    const cli = "node_modules/@stoplight/spectral-cli/dist/index.js";
    run(node, [cli, "lint", "--ruleset", "spectral.json", "--fail-severity", "warn", file], { cwd: folder });
    return;
  }
  writeFileSync(join(folder, `${reader}.mjs`), programs[reader]);
  run(node, [`${reader}.mjs`, file], { cwd: folder });
}
