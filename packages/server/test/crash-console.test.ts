/** @module-tag long */
import { shown } from "./lib.ts";
import { expect, it, onTestFinished } from "vitest";
import { plainCurve, type PlainGroup, type PlainLog } from "./console/plain-reading.ts";
import { generator } from "./console/rollouts.ts";
import { temporaryFolder } from "./folders.ts";
import { startProcess, type OwnProcess } from "./own-process.ts";

// `pnpm exec vitest run --project crash` repeats it 50 times; `pnpm test` does it once.
const crashes = Number(process.env["CRASHES"] ?? 1);
const isThorough = crashes > 10;

const groupOf = (random: () => number): PlainGroup => ({
  trajectories: Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
    reward: Math.floor(random() * 5) / 4,
    messages_and_choices: [
      { role: "user", content: "Which track?" },
      { index: 0, finish_reason: "stop", message: { role: "assistant", content: `Track ${random()}.` } },
    ],
  })),
});

/** Logs until the server is killed, while the console is open. */
async function load({ training, pages }: OwnProcess, model: string, random: () => number): Promise<void> {
  const log = async () => {
    for (;;) {
      const groups = Array.from({ length: 3 }, () => groupOf(random)) as never[];
      await training.models.log(model, { split: "train", trajectory_groups: groups });
    }
  };
  const watch = async () => {
    for (;;) await shown(pages, "/runs/{run_id}/curve", { run_id: model });
  };
  await Promise.allSettled([log(), log(), watch()]);
}

/** Checks that the console shows what a plain reading of all logs gives: a log and its rows are both there, or neither. */
async function verify({ control, pages }: OwnProcess, model: string): Promise<void> {
  const logs: PlainLog[] = [];
  for await (const { step, body } of control.logs.list({ model_id: model, limit: 100 })) {
    const { split, trajectory_groups } = body as { split: string; trajectory_groups: PlainGroup[] };
    logs.push({ step, split, groups: trajectory_groups });
  }
  const plain = plainCurve(logs, "train");
  const curve = await shown(pages, "/runs/{run_id}/curve", { run_id: model });
  expect(curve.step).toEqual(plain.map(({ step }) => step));
  expect(curve.n).toEqual(plain.map(({ n }) => n));
  expect(curve.cells).toEqual(plain.map(({ cells }) => cells));
  for (const [at, { mean }] of plain.entries()) expect(curve.mean[at]).toBeCloseTo(mean ?? Number.NaN, 9);
  expect((await shown(pages, "/runs/{run_id}", { run_id: model })).groups).toBe(
    logs.reduce((sum, log) => sum + log.groups.length, 0),
  );
}

it(`shows all logs in the console after the server was killed ${crashes} times`, async () => {
  const data = temporaryFolder();
  const random = generator(11);
  let running = await startProcess(data);
  onTestFinished(() => running.kill());
  const { id: model } = await running.training.models.create({ project: "p", name: "agent", base_model: "demo/tiny" });
  for (let crash = 0; crash < crashes; crash++) {
    const work = load(running, model, random);
    await new Promise((resolve) => setTimeout(resolve, 30 + random() * (isThorough ? 600 : 200)));
    await new Promise((resolve) => setTimeout(resolve, random() * 100));
    await Promise.all([running.kill(), work]);
    running = await startProcess(data);
    await verify(running, model);
  }
  expect((await running.control.violations.list()).data).toEqual([]);
}, 600_000);
