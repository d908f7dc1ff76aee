import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { bundle, findServices, inOpenApi32, readOverlay, sourceOf } from "@trainyard/document/files";
import { stringify } from "yaml";
import { Failure } from "./failure.ts";
import { choose } from "./command.ts";

const formats: Readonly<Record<string, (document: object) => string>> = {
  json: (document) => `${JSON.stringify(document, null, 2)}\n`,
  yaml: (document) => stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }),
};

export async function exportDocuments(root: string, args: string[]): Promise<number> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: {
      out: { type: "string" },
      openapi: { type: "string", default: "3.1" },
      format: { type: "string", default: "json" },
      overlay: { type: "string", multiple: true, default: [] },
    },
  });
  const { openapi, out } = values;
  const text = choose(formats, values.format);
  if (openapi !== "3.1" && openapi !== "3.2") {
    throw new Failure(`OpenAPI ${openapi} is not supported. Choose 3.1 or 3.2.`);
  }
  if (out === undefined) throw new Failure("The output folder is missing. Pass --out <folder>.");
  const all = findServices(root);
  const strange = positionals.find((name) => !all.includes(name));
  if (strange !== undefined) throw new Failure(`The service "${strange}" does not exist. Choose ${all.join(", ")}.`);
  // The folder where the command was typed: pnpm runs it in the repository's folder.
  const from = process.env["INIT_CWD"] ?? process.cwd();
  const overlays = values.overlay.map((file) => readOverlay(resolve(from, file), all));
  const services = positionals.length === 0 ? all : positionals;
  const documents = await Promise.all(services.map((service) => bundle(root, sourceOf(service), { overlays })));
  const folder = resolve(from, out);
  mkdirSync(folder, { recursive: true });
  for (const [index, document] of documents.entries()) {
    const file = join(folder, `${services[index]}.openapi.${values.format}`);
    writeFileSync(file, text(openapi === "3.2" ? inOpenApi32(document) : document));
    console.log(file);
  }
  return 0;
}
