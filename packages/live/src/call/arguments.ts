import { UsageError } from "../contract.ts";

/** The arguments of `trainyard call`. */
export interface Typed {
  /** The operation, followed by the values of its path parameters. */
  readonly positionals: readonly string[];
  /** Flags of the command itself. */
  readonly own: Readonly<Partial<Record<OwnFlag, string>>>;
  /** Flags of the operation: names as they were typed, each with its values. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

const withValue = ["service", "base-url", "body", "example", "limit"] as const;
const withoutValue = ["help", "dry-run"] as const;

/** A flag that every operation accepts. */
export type OwnFlag = (typeof withValue)[number] | (typeof withoutValue)[number];

/** The flags that every operation accepts, for messages. */
export const ownFlags: readonly OwnFlag[] = [...withValue, ...withoutValue];

/**
 * Reads `--name value`, `--name=value`, and `--name` alone, which is true.
 * @throws {@link UsageError} if a flag of the command has no value
 */
export function readArguments(args: readonly string[]): Typed {
  const positionals: string[] = [];
  const own: Partial<Record<OwnFlag, string>> = {};
  const fields = new Map<string, string[]>();
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name, given] = /^--([^=]+)(?:=(.*))?$/s.exec(word === "-h" ? "--help" : word) ?? [];
    if (name === undefined) {
      if (word !== "--") positionals.push(word);
      continue;
    }
    const isSwitch = withoutValue.some((one) => one === name);
    const value = given ?? (isSwitch || words[0]?.startsWith("--") !== false ? undefined : words.shift());
    const flag = ownFlags.find((one) => one === name);
    if (flag === undefined) fields.set(name, [...(fields.get(name) ?? []), value ?? "true"]);
    else if (value === undefined && !isSwitch) throw new UsageError(`--${name} needs a value.`);
    else own[flag] = value ?? "true";
  }
  return { positionals, own, fields };
}
