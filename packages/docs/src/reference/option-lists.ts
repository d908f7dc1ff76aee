/** The options of clients and calls, from the doc comments of their types. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../places.ts";

/** An option as its doc comment describes it, in Markdown. */
export interface Option {
  readonly name: string;
  readonly type: string;
  /** What applies without it. */
  readonly default: string;
  readonly text: string;
}

const interfaces = /^export interface (\w+Options)\b[^{]*\{\n([^]*?)^\}/gm;
const members = /^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+)\?: (.*?)(?: \| undefined)?;$/gm;
const defaults = / ?\bDefault:? (.+?)\.(?=\s|$)/;

/** The options by the name of their type, such as `ClientOptions`. An option without a doc comment is an error. */
export function optionLists(): Record<string, readonly Option[]> {
  const files = ["packages/core/src/options.ts", ...globSync("packages/*/src/generated/client.ts", { cwd: root })];
  const found = files.flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(interfaces)]);
  return Object.fromEntries(found.map(([, name = "", body = ""]) => [name, optionsOf(name, body)]));
}

function optionsOf(owner: string, body: string): Option[] {
  const options = [...body.matchAll(members)].map(([, comment = "", name = "", type = ""]): Option => {
    const text = comment
      .replaceAll(/\s*\n? \* ?|\s+/g, " ")
      .replaceAll(/\{@link (\w+)\}/g, "`$1`")
      .trim();
    return { name, type, default: defaults.exec(text)?.[1] ?? "none", text: text.replace(defaults, "").trim() };
  });
  const count = body.match(/^ {2}\w+\??:/gm)?.length ?? 0;
  if (options.length !== count) throw new Error(`${owner} has ${count} options, ${options.length} with a doc comment.`);
  return options;
}
