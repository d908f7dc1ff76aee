import { isMisuse } from "@trainyard/terminal/command";
import { Failure } from "./failure.ts";
import type { FailOn } from "./verdict.ts";

/** Runs a command, or prints its help if it is asked for. Invalid arguments print a message, and exit with code 2. */
export async function runCommand(main: () => Promise<number>, help?: string): Promise<void> {
  if (help !== undefined && process.argv.slice(2).some((arg) => arg === "--help" || arg === "-h"))
    return console.log(help);
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!isMisuse(error)) throw error;
    console.error(error.name === "UsageError" ? `${error.message} See --help.` : error.message);
    process.exitCode = 2;
  }
}

/** The options of both comparisons, for `parseArgs`. */
export const checkOptions = {
  format: { type: "string", default: "text" },
  "fail-on": { type: "string", default: "wire" },
  all: { type: "boolean", default: false },
} as const;

/** @throws {@link Failure} if it is another word */
export function chooseFailOn(name: string): FailOn {
  if (name === "wire" || name === "source") return name;
  throw new Failure(`--fail-on cannot be "${name}". Choose wire or source.`);
}

/** Finds a format by name. @throws {@link Failure} with the available formats. */
export function choose<Format>(formats: Readonly<Record<string, Format>>, name: string): Format {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format !== undefined) return format;
  throw new Failure(`The format "${name}" does not exist. Choose ${Object.keys(formats).join(", ")}.`);
}
