import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./command.ts";

/**
 * Reads the arguments of a command, as `parseArgs` of Node does, whose messages do not say what to type. A value may begin with
 * one dash: `--reward -1`.
 *
 * @throws {@link UsageError} for an option that the command does not have, one that lacks its value or takes none, and an argument
 *   that the command does not take
 */
export function readArguments<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const { options = {}, allowPositionals = false } = config;
  const { tokens = [] } = parseArgs({ ...config, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === "positional" && !allowPositionals)
      throw new UsageError(`There is an argument too many: ${token.value}. The command takes only options.`);
    if (token.kind !== "option") continue;
    const { rawName, name, value, inlineValue } = token;
    const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
    if (type === undefined) {
      const cure = rawName.startsWith("--") ? "" : " What begins with a dash and is no option stands after --.";
      throw new UsageError(`There is no option ${rawName}.${cure}`);
    }
    if (type === "boolean" && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    if (type === "string" && (value === undefined || (!inlineValue && value.startsWith("--"))))
      throw new UsageError(`${rawName} needs a value. One that begins with -- is written as ${rawName}=--value.`);
  }
  // The values have been checked, so they have the types of a strict reading.
  return parseArgs({ ...config, strict: false }) as ReturnType<typeof parseArgs<Config>>;
}
