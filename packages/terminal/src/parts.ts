import { fileURLToPath } from "node:url";
import { UsageError } from "./command.ts";
import { textTable } from "./table.ts";

/** A part of a command: `size` of `bench size`. */
export interface Part {
  /** What it does, as a sentence without period. */
  readonly does: string;
  /** The module that runs it, with the arguments that follow its name. */
  readonly file: URL;
  /** Arguments that precede those of the caller. */
  readonly args?: readonly string[];
}

/**
 * Runs the part of a command that the first argument names. `--help` lists the parts; without a part, or with an unknown one, the
 * list is an error with exit code 2.
 *
 * @param command as it is typed: `pnpm bench`
 * @param usual the part that runs if none is named
 */
export async function runPart(command: string, parts: Readonly<Record<string, Part>>, usual = ""): Promise<void> {
  const [first, ...rest] = process.argv.slice(2);
  const isNamed = first !== undefined && !first.startsWith("-");
  const name = isNamed ? first : usual;
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  const wantsHelp = first === "--help" || first === "-h";
  if (part === undefined || wantsHelp) {
    const lines = textTable(Object.entries(parts).map(([one, { does }]) => [`  ${command} ${one}`, does]));
    const fault = isNamed ? `\`${command}\` has no part "${first}". ` : "";
    (wantsHelp ? console.log : console.error)(`${fault}Its parts are:\n\n${lines.join("\n")}`);
    process.exitCode = wantsHelp ? 0 : 2;
    return;
  }
  const args = isNamed ? rest : process.argv.slice(2);
  process.argv.splice(1, Infinity, fileURLToPath(part.file), ...(part.args ?? []), ...args);
  try {
    await import(part.file.href);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message} \`${command} --help\` lists the parts of the command.`);
    process.exitCode = 2;
  }
}
