/**
 * Turns the rollouts that verl writes into lines for `trainyard import logs`. In verl 0.7.0, the folders of the settings
 * `trainer.rollout_data_dir` and `trainer.validation_data_dir` have a file `<step>.jsonl` for each step, whose lines have
 * `input`, `output`, `gts`, `score`, `step` and the further parts of the reward: `node import-verl.ts train folder/*.jsonl`
 */
import { readFileSync } from "node:fs";

const [split = "train", ...files] = process.argv.slice(2);
if (files.length === 0)
  console.error(
    "Name the split and files: node import-verl.ts train 1.jsonl 2.jsonl",
  );

for (const file of files)
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      console.log(JSON.stringify(lineOf(JSON.parse(line))));
    } catch (error) {
      // Python writes NaN, for example, which is not JSON.
      console.error(
        `${file}:${index + 1}: ${String(error)}. The line is left out.`,
      );
      process.exitCode = 1;
    }
  }

function lineOf({
  input,
  output,
  score,
  step,
  gts,
  ...rest
}: Record<string, unknown>) {
  const parts = Object.entries({ ground_truth: gts ?? null, ...rest });
  const isMetric = ([, value]: [string, unknown]) =>
    typeof value === "number" || typeof value === "boolean";
  const notes = parts
    .filter((part) => !isMetric(part))
    .map(([key, value]) => [
      key,
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    ]);
  // verl does not write why an answer ended.
  const choice = {
    index: 0,
    finish_reason: "stop",
    message: { role: "assistant", content: output },
  };
  return {
    step,
    split,
    // verl writes the prompt again for each attempt at it.
    group: input,
    trajectory: {
      messages_and_choices: [...turnsOf(String(input)), choice],
      reward: score,
      metrics: Object.fromEntries(parts.filter(isMetric)),
      metadata: Object.fromEntries(notes),
    },
  };
}

/** The turns of a chat template, of which verl leaves the names of the speakers; otherwise one message. */
function turnsOf(input: string): object[] {
  if (!/^(system|user)\n[^]*\nassistant\s*$/.test(input))
    return [{ role: "user", content: input }];
  const parts = input
    .split(/(?:^|\n)(system|user|assistant|tool)(?:\n|$)/)
    .slice(1, -2);
  return parts.flatMap((role, index) =>
    index % 2 === 0 ? [{ role, content: parts[index + 1] }] : [],
  );
}
