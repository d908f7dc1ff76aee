/** @module-tag long */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalClient } from "@trainyard/local";
import { createServer } from "@trainyard/server";
import { tinyTrainer } from "@trainyard/tiny";
import { afterAll, expect, it } from "vitest";
import { run as runProcess } from "./run.ts";

// The whole loop: the programs, the trainer and the local server, each in its own process.
const programs = join(import.meta.dirname, "../programs/learning");
const folder = await mkdtemp(join(tmpdir(), "trainyard-learning-"));
const checkpoints = join(folder, "checkpoints");
const server = createServer({
  keys: [{ key: "a-key-for-the-loop", entity: "harbor" }],
  trainer: { command: tinyTrainer(), jobs: 2 },
  checkpoints,
  checkAnswers: true,
});
const url = await server.listen({ port: 0 });

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

// One seed and four jobs. `pnpm exec vitest run --project learning` runs five seeds and ten jobs.
const seeds = Array.from(
  { length: Number(process.env["LEARNING_SEEDS"] ?? 1) },
  (_, place) => place + 1,
);

const steps = seeds.length > 1 ? 10 : 4;

it.each(seeds)(
  "yes-no-maybe learns to say maybe, also to other questions: seed %i",
  async (seed) => {
    const output = await run("yes-no-maybe.ts", [
      `--model=maybe-${seed}`,
      `--seed=${seed}`,
      `--steps=${steps}`,
    ]);
    const rewards = chartOf(output);
    expect(rewards).toHaveLength(steps + 1);
    expect(rewards[0]).toBeGreaterThan(0.55);
    expect(rewards[0]).toBeLessThan(0.8);
    expect(rewards.at(-1)).toBeGreaterThan(0.95);
    const [, before, after] = /not trained on: (\S+) → (\S+)/.exec(output) ?? [];
    expect(Number(before)).toBeLessThan(0.85);
    expect(Number(after)).toBeGreaterThan(0.95);
    // The guide draws the rewards of the first seed. The last round of a run has the seeds of the first one.
    const drawing = join(
      programs,
      "../../../docs/public/drawings/yes-no-maybe.svg",
    );
    const drawn = (await readFile(drawing, "utf8")).match(/\d\.\d{3}(?=[,.])/g);
    if (seed === 1)
      expect(rewards.slice(0, steps).map((reward) => reward.toFixed(3))).toEqual(
        drawn?.slice(0, steps),
      );
  },
);

it("sft teaches ten answers", async () => {
  const lessons = await readFile(join(programs, "timetable.jsonl"), "utf8");
  const records = lessons
    .trim()
    .split("\n")
    .map((line): object => JSON.parse(line));
  await server.import("artifacts", records, {
    as: "artifact:///harbor/support-desk/timetable:v1",
  });
  expect(await run("sft.ts", [])).toMatch(/right answers: [0-2] of 10 → 10 of 10/);
});

it("the three runs of what-goes-wrong end with the right marks", async () => {
  await run("what-goes-wrong.ts", []);
  const { runs } = createLocalClient(server.connect("local"));
  const open: Record<string, string[]> = {};
  for await (const { id, name } of runs.list()) {
    const { data } = await runs.marks(id);
    const marks = data
      .filter(({ until }) => until === null)
      .map(({ rule }): string => rule);
    open[name.replace(/-[\da-f]{8}$/, "")] = marks;
  }
  expect(open).toMatchObject({
    "as-wanted": [],
    "reward-hacking": expect.arrayContaining(["metric-fell"]),
    collapse: expect.arrayContaining(["reward-fell", "no-signal"]),
  });
});

it("no response broke the contract", () => expect(server.violations()).toEqual([]));

/** The rewards of a chart, by step. */
function chartOf(output: string): number[] {
  return [...output.matchAll(/^ *\d+ [█░]+ (\S+)$/gm)].map(([, reward]) =>
    Number(reward),
  );
}

/** Runs a program as a newcomer does: configured only by environment variables. */
async function run(program: string, args: string[]): Promise<string> {
  const command = [
    "--conditions=@trainyard/source",
    join(programs, program),
    ...args,
  ];
  const outcome = await runProcess(process.execPath, command, programs, {
    TRAINYARD_TRAINING_URL: url,
    TRAINYARD_API_KEY: "a-key-for-the-loop",
  });
  expect(outcome).toMatchObject({ status: 0 });
  return outcome.output;
}
