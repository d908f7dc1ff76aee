import { join } from "node:path";
import { Failure } from "./failure.ts";

const usage = `Usage:
  contract:check [revision] [--format text|markdown|github] [--uses FILE]...
      Compares the documents with those of a revision (the main branch), names who is broken, and fails where a version is
      too low.

  contract:basis [--format text|markdown|json]
      Lists where each fact of the contract comes from.

  contract:new operation <service> <method> --verb post --path /v1/things/{thing_id}
      [--body Schema] [--answer Schema] [--summary ...] [--description ...] [--tag ...] [--resend always|with-key|never]
  contract:new schema <service|common> <Name> [--property name:type]... [--description ...]
  contract:new service <name> [--title ...] [--description ...] [--method status.get --verb get --path /status]
      Writes the small files, with examples; all three take --basis proposed|adopted|interface. What is needed and not
      given is asked for.`;

const root = join(import.meta.dirname, "../../..");

/** Read when they run: what one of them needs takes a second to load. */
const commands: Readonly<Record<string, () => Promise<{ run(root: string, args: string[]): Promise<number> }>>> = {
  check: () => import("./commands/check.ts"),
  basis: () => import("./commands/basis.ts"),
  new: () => import("./commands/new.ts"),
};

async function main([command = "", ...args]: readonly string[]): Promise<number> {
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (load !== undefined && !args.includes("--help")) return (await load()).run(root, args);
  (load === undefined ? console.error : console.log)(usage);
  return load === undefined ? 2 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Codegen tells of a broken document by an error of its own.
  const known = error instanceof Failure || (error instanceof Error && error.name === "DocumentError");
  // What `parseArgs` says of a wrong option is a sentence already.
  const wrongOption = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!known && !wrongOption) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
