/**
 * Turns the rollouts that verl writes into lines for `trainyard import logs`. In verl 0.7.0, the folders of the settings
 * `trainer.rollout_data_dir` and `trainer.validation_data_dir` have a file `<step>.jsonl` for each step, whose lines have
 * `input`, `output`, `gts`, `score`, `step` and the further parts of the reward: `node import-verl.ts train folder/*.jsonl`
 * The completions that TRL logs, as JSON Lines, have `prompt`, `completion`, `reward` and `step` instead.
 */
import { readFileSync } from "node:fs";

const [split, ...files] = process.argv.slice(2);
if (files.length === 0) console.error("Name the split and at least one file.");

for (const file of files) {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  for (const [index, line] of lines.entries())
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

function lineOf(fields: Record<string, unknown>) {
  const {
    input = fields["prompt"],
    output = fields["completion"],
    ...others
  } = fields;
  const {
    score = fields["reward"],
    prompt: _p,
    completion: _c,
    step,
    ...rest
  } = others;
  const metrics: typeof fields = {};
  const metadata: typeof fields = {};
  for (const [key, value] of Object.entries(rest))
    if (["number", "boolean"].includes(typeof value)) metrics[key] = value;
    else metadata[key] = value instanceof Object ? JSON.stringify(value) : value;
  const message = { role: "assistant", content: output };
  // verl does not write why an answer ended.
  const choice = { index: 0, finish_reason: "stop", message };
  const messages_and_choices = [...turnsOf(String(input)), choice];
  const trajectory = { messages_and_choices, reward: score, metrics, metadata };
  // verl writes the prompt again for each attempt at it.
  return { step, split, group: input, trajectory };
}

/** The turns of a chat template, of which verl leaves the names of the speakers; otherwise one message. */
function turnsOf(input: string): object[] {
  if (!/^(system|user)\n[^]*\nassistant\s*$/.test(input))
    return [{ role: "user", content: input }];
  const parts = input.split(/(?:^|\n)(system|user|assistant|tool)(?:\n|$)/);
  const turns = [];
  for (let at = 1; at < parts.length - 2; at += 2)
    turns.push({ role: parts[at], content: parts[at + 1] });
  return turns;
}
