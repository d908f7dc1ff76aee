/** @module-tag long */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ask } from "../../test/lib.ts";

const command: [string, ...string[]] = [
  process.execPath,
  "--conditions=@trainyard/source",
  join(import.meta.dirname, "../cli.ts"),
  "train",
];
const root = mkdtempSync(join(tmpdir(), "tiny-command-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Starts the program with a job of fine-tuning that has so many steps. */
function start(steps: number): { child: ReturnType<typeof spawnTrain>; output: string } {
  const output = mkdtempSync(join(root, "output-"));
  const file = `${output}.jsonl`;
  writeFileSync(file, JSON.stringify({ messages: [...ask("a"), { role: "assistant", content: "b" }] }));
  return {
    child: spawnTrain({
      job: { id: "d4f8", kind: "sft", attempt: 1 },
      model: { id: "6f1d", entity: "harbor", project: "support-desk", name: "agent-1", base_model: "demo/tiny" },
      checkpoint: { step: 0, directory: null },
      output: { step: 1, directory: output },
      training_data: { url: "artifact:///harbor/support-desk/qa:v1", file },
      config: { learning_rate: Array.from({ length: steps }, () => 0.1) },
    }),
    output,
  };
}

function spawnTrain(job: object | string) {
  const [node, ...args] = command;
  const child = spawn(node, args, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(typeof job === "string" ? job : JSON.stringify(job));
  return child;
}

it("prints one event per line, and exits with 0", async () => {
  const { child, output } = start(2);
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect(error).toBe("");
  expect(code).toBe(0);
  const types = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  expect(types).toEqual(["training_started", "settings", "gradient_step", "gradient_step", "training_ended"]);
  expect(readdirSync(output).toSorted()).toEqual(["checkpoint.json", "weights.f32"]);
});

it("stops on a signal, and leaves no files", async () => {
  // More steps than there is time for.
  const { child, output } = start(1_000_000);
  const closed = once(child, "close");
  await once(child.stdout, "data");
  child.stdout.resume();
  child.kill("SIGTERM");
  expect(await closed).toEqual([143, null]);
  expect(readdirSync(output)).toEqual([]);
});

it("exits with 1 if the input is not a job, and says so in its last line", async () => {
  const child = spawnTrain("epoch 1");
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect([out, code]).toEqual(["", 1]);
  expect(error.trim().split("\n").at(-1)).toBe(
    "Standard input is not valid JSON. The program reads one training job from it.",
  );
});
