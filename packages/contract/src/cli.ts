import { join } from "node:path";
import { Failure } from "./failure.ts";
import { help } from "./help.ts";

const root = join(import.meta.dirname, "../../..");

/** Read when they run: what one of them needs takes a second to load. */
const commands: Readonly<Record<string, () => Promise<{ run(root: string, args: string[]): Promise<number> }>>> = {
  check: () => import("./commands/check.ts"),
  basis: () => import("./commands/basis.ts"),
  export: () => import("./commands/export.ts"),
  new: () => import("./commands/new.ts"),
};

async function main([command = "", ...args]: readonly string[]): Promise<number> {
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  const asked = [command, ...args].some((arg) => arg === "--help" || arg === "-h");
  if (load !== undefined && !asked) return (await load()).run(root, args);
  (asked ? console.log : console.error)(help[command] ?? Object.values(help).join("\n\n"));
  return asked ? 0 : 2;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Codegen tells of a broken document by an error of its own.
  const known = error instanceof Failure || (error instanceof Error && error.name === "DocumentError");
  const wrongOption = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!known && !wrongOption) throw error;
  // Of what `parseArgs` says of a wrong option, the first sentence is for people.
  console.error(known ? error.message : `${error.message.split(/\. (?=[A-Z])/)[0]?.replace(/\.?$/, ".")} See --help.`);
  process.exitCode = 2;
}
