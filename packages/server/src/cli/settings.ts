import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { variableName } from "@trainyard/document";

/** A setting of a command: a flag, and the environment variable with the same meaning. */
export interface Setting {
  /** The placeholder of its value in the help; a flag without one takes no value. */
  readonly value?: string;
  /** Whether it can be repeated; in the environment, its values are separated by commas. */
  readonly multiple?: boolean;
  /** Whether `--no-…` switches it off; only for flags without a value. */
  readonly negative?: boolean;
  readonly help: string;
}

export type Settings = Readonly<Record<string, Setting>>;

/** The values that were set, by the names of the settings. */
export type Given<S extends Settings> = {
  readonly [Name in keyof S]?: S[Name] extends { readonly multiple: true }
    ? string[]
    : S[Name] extends { readonly value: string }
      ? string
      : boolean;
};

/**
 * Reads the settings of a command from its flags. A setting without a flag is read from the environment.
 *
 * @throws {@link UsageError} if a flag is unknown, or the value of a variable is neither true nor false
 */
export function readSettings<const S extends Settings>(
  settings: S,
  args: string[],
  environment: NodeJS.ProcessEnv = process.env,
): Given<S> {
  const options = Object.fromEntries(
    Object.entries(settings).map(([name, { value, multiple = false }]) => [
      name,
      { type: value === undefined ? "boolean" : "string", multiple } as const,
    ]),
  );
  const { values } = readArguments({ args, options, allowNegative: true });
  for (const [name, setting] of Object.entries(settings)) {
    const text = environment[variableName("TRAINYARD", name)];
    // An empty variable counts as not set: compose files pass on unset variables as empty ones.
    if (values[name] === undefined && text !== undefined && text !== "") values[name] = valueOf(name, setting, text);
  }
  // The type depends on the kind of setting (see `Given`), which the compiler cannot follow.
  return values as Given<S>;
}

function valueOf(name: string, { value, multiple }: Setting, text: string): string | string[] | boolean {
  if (multiple === true) return text.split(",").map((part) => part.trim());
  if (value !== undefined) return text;
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new UsageError(`${variableName("TRAINYARD", name)} must be true or false, not ${text}.`);
}

/** The help of settings: one line for each flag. */
export function helpOf(settings: Settings, width = 118): string {
  const flags = Object.entries(settings).map(([name, { value, negative, help }]) => {
    const flag = value === undefined ? (negative ? `--[no-]${name}` : `--${name}`) : `--${name} ${value}`;
    return { flag, help };
  });
  const column = Math.max(...flags.map(({ flag }) => flag.length)) + 4;
  return flags
    .map(({ flag, help }) => {
      // As many words in a line as fit.
      const lines = help.match(new RegExp(`\\S.{0,${width - column - 1}}(?= |$)`, "g")) ?? [];
      return lines.map((line, index) => (index === 0 ? `  ${flag}` : "").padEnd(column) + line).join("\n");
    })
    .join("\n");
}
