#!/usr/bin/env node
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ProjectError, usesOf } from "./index.ts";

const usage = `Usage: trainyard-uses [--project tsconfig.json] [--out uses.json]
Lists which operations and fields of the services a program uses, with file and line. \`--out -\` prints the list.
\`--version\` prints the version.`;

try {
  const { values } = parseArgs({
    options: {
      project: { type: "string", default: "tsconfig.json" },
      out: { type: "string", default: "uses.json" },
      help: { type: "boolean" },
      version: { type: "boolean" },
    },
  });
  if (values.help) console.log(usage);
  else if (values.version) {
    console.log(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
  } else write(values.project, values.out);
} catch (error) {
  const wrongOption = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!(error instanceof ProjectError) && !wrongOption) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}

function write(project: string, out: string): void {
  const uses = usesOf(project);
  // Write the locations of a field on one line, so that a small change of the program is a small diff.
  const oneLine = (_: string, locations: string) => `[${locations.replaceAll(/\s+/g, " ")}]`;
  const text = `${JSON.stringify(uses, null, 2).replaceAll(/\[\s+([^\]]*?)\s+\]/g, oneLine)}\n`;
  if (out === "-") return void process.stdout.write(text);
  writeFileSync(out, text);
  const count = (kind: "operations" | "sent" | "read"): number =>
    Object.values(uses.services).reduce((sum, service) => sum + Object.keys(service[kind]).length, 0);
  console.log(`${out}: ${count("operations")} operations, ${count("sent")} fields sent, ${count("read")} fields read`);
}
