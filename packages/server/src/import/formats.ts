import { isObject } from "@trainyard/core/validation";
import type { ImportKind } from "./kinds.ts";

/** The formats of other programs, by the fields of their lines, each with what imports it. */
const formats: readonly [fields: readonly string[], name: string, cure: string][] = [
  [["input", "output", "score"], "rollouts of verl", "The sample programs/import-verl.ts converts it."],
  [["prompt", "completion"], "completions of TRL", "The sample programs/import-verl.ts converts it."],
  [
    ["messages"],
    "examples for fine-tuning, as of OpenAI",
    "Import it with `trainyard import artifacts`, and train on it as in the sample programs/training-sft.ts.",
  ],
  ...["question", "prompt"].map((field): [string[], string, string] => [
    [field],
    "rows of a dataset, which have no attempts",
    "Attempt its tasks first, as in the sample programs/rollouts.ts.",
  ]),
];

/** Why a file is none that can be imported, by its first line; undefined for others. */
export function foreignFormat(kind: ImportKind, line: string): string | undefined {
  if (line.startsWith("\uFEFF")) return "The file begins with a byte order mark (BOM). Save it as UTF-8 without one.";
  if (line.trimStart().startsWith("["))
    return "The file is a JSON array. Write one record on each line, as `jq -c '.[]'` does.";
  if (kind !== "logs") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value) || ["trajectory", "trajectories", "exception", "exceptions"].some((name) => name in value))
    return undefined;
  const fields = new Set(Object.keys(value));
  const [, name, cure] = formats.find(([names]) => names.every((one) => fields.has(one))) ?? [];
  return name === undefined
    ? undefined
    : `The file has ${name}, and no rollouts as \`import logs\` reads them. ${cure}`;
}
