import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";

/** A value as it was typed: JSON after `:=`, else a text. */
export interface Word {
  readonly text: string;
  readonly isJson: boolean;
}

export interface Typed {
  /** The operation, followed by the values of its path parameters. */
  readonly positionals: readonly string[];
  /** Options of the command itself, with the value that was typed first; that of a switch is empty. */
  readonly own: Readonly<Partial<Record<OwnOption, string>>>;
  readonly allow: readonly string[];
  readonly headers: readonly string[];
  /** Fields of the operation: names as they were typed, each with its values. */
  readonly fields: ReadonlyMap<string, readonly Word[]>;
}

const text = { type: "string", multiple: true } as const;
const toggle = { type: "boolean" } as const;

/** Options that say what is called. Any other gives way to a field of the operation with its name. */
const first: ReadonlySet<string> = new Set(["document", "allow", "base-url", "help"]);

/** An option that every operation accepts. */
export type OwnOption = "document" | "allow" | "base-url" | "help" | "service" | "body" | "example" | "limit" | Further;
type Further = "field" | "header" | "timeout" | "include" | "verbose" | "dry-run";

const options: Readonly<Record<OwnOption, { type: "string" | "boolean"; multiple?: true; short?: string }>> = {
  document: text,
  allow: text,
  "base-url": text,
  help: { ...toggle, short: "h" },
  service: text,
  body: text,
  example: text,
  limit: text,
  field: text,
  header: { ...text, short: "H" },
  timeout: text,
  include: { ...toggle, short: "i" },
  verbose: { ...toggle, short: "v" },
  "dry-run": toggle,
};

const isOwn = (name: string): name is OwnOption => Object.hasOwn(options, name);

/** The options that every operation accepts, as they are typed. */
export const ownFlags: readonly string[] = [...Object.keys(options).map((name) => `--${name}`), "-H", "-i", "-v"];

/** The flag of a field: `--name`, or `--document:=` for one with the name of an option that stays with the command. */
export function flagOf(name: string): string {
  return first.has(name) ? `--${name}:=` : `--${name}`;
}

/** Whether a field takes the place of an option of the command. */
export function replacesOption(name: string): boolean {
  return isOwn(name) && !first.has(name);
}

/**
 * Reads `--name value` and `--name=value`, and `--name:=8`, which is JSON and always a field of the operation.
 * @param isField whether the operation has a field of a name; undefined as long as it is not known
 * @throws {@link UsageError} if a flag has no value, or one of the command several
 */
export function readCall(args: readonly string[], isField?: (name: string) => boolean): Typed {
  // A switch with a value may be a field.
  const known = isField ? args : args.filter((arg) => !/^--(include|verbose|dry-run)=/.test(arg));
  const flags = known.slice(0, known.indexOf("--") >>> 0).flatMap((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? []);
  const gives = (name: string) => replacesOption(name) && isField?.(name) === true;
  const { positionals, tokens } = readArguments({
    args: [...known],
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries([
      ...flags.map((name) => [name, text]),
      // No flag has such a name: an option that gives way keeps its short form.
      ...Object.entries(options).map(([name, option]) => [gives(name) ? `${name}=` : name, option]),
    ]),
  });
  const own: Partial<Record<OwnOption, string>> = {};
  const lists: Partial<Record<OwnOption, string[]>> = {};
  const fields = new Map<string, Word[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { value = "" } = token;
    const [name, sign] = token.name.split(/(?=[=:]$)/);
    if (name === undefined) continue;
    if (sign !== ":" && isOwn(name) && !(sign === undefined && gives(name))) {
      (lists[name] ??= []).push(value);
      own[name] ??= value;
    } else fields.set(name, [...(fields.get(name) ?? []), { text: value, isJson: sign === ":" }]);
  }
  const { allow = [], header: headers = [], ...single } = lists;
  for (const [name, { length }] of Object.entries(single))
    if (isField && length > 1 && options[name as OwnOption].type === "string")
      throw new UsageError(`--${name} takes one value, and several were given.`);
  return { positionals, own, allow, headers, fields };
}
