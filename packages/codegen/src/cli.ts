import { join, resolve } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { complaints, generate, ownOptions, summarize } from "./generate.ts";
import { DocumentError } from "@trainyard/document/files";
import { buildValidators } from "./validators.ts";

const usage = `Usage:
  generate                       writes packages/<service>/src/generated from openapi/<service>
  generate --check               compares, writes nothing, and fails on any difference
  generate --overlay <file>      applies an OpenAPI Overlay first, and changes no document; can be repeated
  generate validators <service>  writes packages/<service>/dist/validators.js and .d.ts`;

const root = join(import.meta.dirname, "../../..");

async function main(args: readonly string[]): Promise<number> {
  const [command, service] = args;
  if (command === "validators" && service !== undefined && args.length === 2) {
    console.log(await buildValidators(root, service));
    return 0;
  }
  const { check, overlay } = readArguments({
    args: [...args],
    options: { check: { type: "boolean", default: false }, overlay: { type: "string", multiple: true, default: [] } },
  }).values;
  // The folder where the command was typed: pnpm runs it in the repository's folder.
  const from = process.env["INIT_CWD"] ?? process.cwd();
  const report = await generate(root, { ...ownOptions, check, overlays: overlay.map((file) => resolve(from, file)) });
  const faults = check ? complaints(report) : [];
  for (const fault of faults) console.error(fault);
  if (!check) for (const line of summarize(report)) console.log(line);
  return faults.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
    console.error(usage);
    process.exit(2);
  }
  if (!(error instanceof DocumentError)) throw error;
  console.error(error.report());
  process.exitCode = 1;
}
