import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { createLocalClient, type RolloutLine } from "@trainyard/local";
import { createServer } from "@trainyard/server";
import { afterAll, expect, it } from "vitest";

const server = createServer();
afterAll(() => server.close());

// The files are as verl 0.7.0 writes them: `_dump_generations` of its verl/trainer/ppo/ray_trainer.py.
it("turns the files of verl into lines that are imported, and the console shows them", async () => {
  const program = join(import.meta.dirname, "../programs/import-verl.ts");
  const files = globSync(join(import.meta.dirname, "fixtures/verl/*.jsonl"));
  const { stdout } = spawnSync(process.execPath, [program, "train", ...files], {
    encoding: "utf8",
  });
  const records = stdout
    .trim()
    .split("\n")
    .map((line): object => JSON.parse(line));
  await server.import("logs", records, { as: "artifact:///local/math/verl-1" });
  const { runs } = createLocalClient(server.connect("local"));
  const [run] = (await runs.list({ limit: 5 })).data;
  expect(run).toMatchObject({ entity: "local", project: "math", name: "verl-1" });
  const lines = await runs.rollouts.export(run?.id ?? "");
  const data = lines
    .trim()
    .split("\n")
    .map((line): RolloutLine => JSON.parse(line))
    .toSorted((a, b) => b.step - a.step);
  expect(
    data.map(({ step, name, attempt }) => [
      step,
      name,
      attempt.reward,
      attempt.metrics,
    ]),
  ).toEqual([
    [10, "What is 17 + 25?", 1, { acc: 1, format: 0.5 }],
    [10, "What is 17 + 25?", 1, { acc: 1, format: 0.5 }],
    [10, "How many legs have 3 dogs? Think first.", 0.5, { acc: 0, format: 0.5 }],
    [10, "How many legs have 3 dogs? Think first.", 1, { acc: 1, format: 0.5 }],
    [8, "What is 17 + 25?", 1, { acc: 1, format: 0.5 }],
    [8, "What is 17 + 25?", 0, { acc: 0, format: 0.5 }],
    [8, "How many legs have 3 dogs? Think first.", 0, { acc: 0, format: 0.5 }],
    [8, "How many legs have 3 dogs? Think first.", 0, { acc: 0, format: 0.5 }],
  ]);
});
