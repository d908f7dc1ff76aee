import { join } from "node:path";
import { runCommand } from "./command.ts";
import { help } from "./help.ts";

const root = join(import.meta.dirname, "../../..");

/** The commands, imported on demand, because their dependencies take a second to load. */
const commands: Readonly<Record<string, () => Promise<{ run(root: string, args: string[]): Promise<number> }>>> = {
  check: () => import("./commands/check.ts"),
  basis: () => import("./commands/basis.ts"),
  export: () => import("./commands/export.ts"),
};

async function main([command = "", ...args]: readonly string[]): Promise<number> {
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  const wantsHelp = [command, ...args].some((arg) => arg === "--help" || arg === "-h");
  if (load !== undefined && !wantsHelp) return (await load()).run(root, args);
  (wantsHelp ? console.log : console.error)(help[command] ?? Object.values(help).join("\n\n"));
  return wantsHelp ? 0 : 2;
}

await runCommand(() => main(process.argv.slice(2)));
