#!/usr/bin/env node
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ProjectError } from "./project.ts";
import { usesOf } from "./uses-of.ts";

const usage = `Usage: trainyard-uses [--project tsconfig.json] [--out uses.json]

Lists which operations and fields of the services a program uses, with file and line. \`--out -\` prints the list.
\`--version\` prints the version.`;

function oneLine(_: string, locations: string): string {
  return `[${locations.replaceAll(/\s+/g, " ")}]`;
}

function main(): number {
  const { values } = parseArgs({
    options: {
      project: { type: "string", default: "tsconfig.json" },
      out: { type: "string", default: "uses.json" },
      help: { type: "boolean", default: false },
      version: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.version) {
    console.log(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
    return 0;
  }
  const uses = usesOf(values.project);
  // Write the locations of a field on one line, so that a small change of the program is a small diff.
  const text = `${JSON.stringify(uses, null, 2).replaceAll(/\[\s+([^\]]*?)\s+\]/g, oneLine)}\n`;
  if (values.out === "-") {
    process.stdout.write(text);
    return 0;
  }
  writeFileSync(values.out, text);
  const count = (kind: "operations" | "sent" | "read"): number =>
    Object.values(uses.services).reduce((sum, service) => sum + Object.keys(service[kind]).length, 0);
  console.log(
    `${values.out}: ${count("operations")} operations, ${count("sent")} fields sent, ${count("read")} fields read`,
  );
  return 0;
}

try {
  process.exitCode = main();
} catch (error) {
  const wrongOption = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!(error instanceof ProjectError) && !wrongOption) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
