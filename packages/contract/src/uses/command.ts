import { writeFileSync } from "node:fs";
import { readArguments } from "@trainyard/terminal/arguments";
import type { Uses } from "./uses.ts";

export const help = `trainyard uses [--project tsconfig.json] [--out uses.json]: lists which operations and fields of the services a program uses

  --project <file>  the program; tsconfig.json by default
  --out <file>      where to write the list, with file and line of each use; uses.json by default, - prints it`;

/** Runs `trainyard uses`. */
export async function run(args: string[]): Promise<void> {
  // It loads the compiler.
  const { usesOf } = await import("./collect.ts");
  const { values } = readArguments({
    args,
    options: {
      project: { type: "string", default: "tsconfig.json" },
      out: { type: "string", default: "uses.json" },
    },
  });
  write(usesOf(values.project), values.out);
}

function write(uses: Uses, out: string): void {
  // Write the locations of a field on one line, so that a small change of the program is a small diff.
  const oneLine = (_: string, locations: string) => `[${locations.replaceAll(/\s+/g, " ")}]`;
  const text = `${JSON.stringify(uses, null, 2).replaceAll(/\[\s+([^\]]*?)\s+\]/g, oneLine)}\n`;
  if (out === "-") return void process.stdout.write(text);
  writeFileSync(out, text);
  const count = (kind: "operations" | "sent" | "read"): number =>
    Object.values(uses.services).reduce((sum, service) => sum + Object.keys(service[kind]).length, 0);
  console.log(`${out}: ${count("operations")} operations, ${count("sent")} fields sent, ${count("read")} fields read`);
}
