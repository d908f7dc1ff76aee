/** The numbers of the pages against a reading of the raw logs by Python, numpy and scipy: `reading.py`. */
// @module-tag long
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../folders.ts";
import { allShown, makeServer, shown } from "../lib.ts";
import { generator, MadeRun, makeRollouts, openDatabase } from "./rollouts.ts";

const hasPython = spawnSync("python3", ["-c", "import numpy, scipy"]).status === 0;

/** Writes a run whose groups have none to six attempts, some of them equal, some thrown, and some of a task twice at a step. */
function makeOdd(folder: string, name: string, seed: number): string {
  const [database, random] = [openDatabase(folder), generator(seed)];
  const run = new MadeRun(database, name);
  const group = () => {
    const [size, worth] = [Math.floor(random() * 7), Math.floor(random() * 5) / 4];
    const isFlat = random() < 0.3;
    return {
      metadata: { task: `task-${Math.floor(random() * 14)}` },
      trajectories: Array.from({ length: size }, () => ({
        reward: isFlat ? worth : Math.round(random() * 7) / 7,
        messages_and_choices: [{ role: "user" as const, content: "Which track?" }],
        metrics: { polite: random(), late: random() < 0.5 },
      })),
      exceptions: random() < 0.2 ? [{ type: "Late", message: "", traceback: "" }] : [],
    };
  };
  for (let step = 0; step < 12; step++) {
    run.log(Array.from({ length: 10 }, group));
    run.log(Array.from({ length: 3 }, group), "val");
    run.train([], [], null);
  }
  run.log(Array.from({ length: 10 }, group));
  database.close();
  return run.id;
}

it.skipIf(!hasPython)("are those that numpy and scipy calculate", async () => {
  const folder = temporaryFolder();
  const size = { steps: 40, groups: [8, 6, 4, 4, 2, 1], whole: true };
  const ids = [
    makeRollouts(folder, size),
    makeRollouts(folder, { ...size, seed: 8, name: "agent-2" }),
    makeOdd(folder, "odd-1", 3),
    makeOdd(folder, "odd-2", 5),
  ] as const;
  const server = makeServer({ data: folder });
  const local = server.connect("local");
  const [logs, pages]: [object[], Record<string, object>] = [[], {}];
  for (const id of ids) {
    for await (const { body, ...log } of server.control.logs.list({ model_id: id }))
      logs.push({ ...log, run: id, groups: Object(body).trajectory_groups });
    const ofRun = { run_id: id };
    const curve = (query: object) => shown(local, "/runs/{run_id}/curve", ofRun, query);
    const groups = await allShown(local, "groups", id, { split: "train", limit: 200 });
    const rollouts = await allShown(local, "rollouts", id, { limit: 200 });
    const between = { from: 4, to: 11 };
    const tasks = await allShown(local, "tasks", id, { ...between, limit: 200 });
    const { run, splits } = await shown(local, "/runs/{run_id}", ofRun);
    const curves: [split: string, object][] = [["train", await curve({ by: "task" })]];
    if (splits.includes("val")) curves.push(["val", await curve({ split: "val" })]);
    const jobs: object[] = [];
    for (const { id: job_id, made_step } of await allShown(local, "jobs", id, { limit: 100 })) {
      const ofJob = { ...ofRun, job_id };
      const events = await shown(local, "/runs/{run_id}/jobs/{job_id}/events", ofJob, { limit: 200 });
      expect(events.has_more).toBe(false);
      const updates = events.data.filter(({ type }) => type === "gradient_step").map(({ data }) => data);
      jobs.push({ made: made_step, updates });
    }
    pages[id] = { curves, jobs, run, groups, rollouts, tasks: { ...between, data: tasks } };
  }
  const [a, b, c, d] = ids;
  const pairs = [`${a}@35,${a}@38`, `${a}@30,${b}@39`, `${c}@3,${c}@9`, `${c}@11,${d}@12`];
  const comparisons = await Promise.all(pairs.map((pair) => shown(local, "/compare", {}, { runs: pair })));
  const file = join(folder, "pages.json");
  writeFileSync(file, JSON.stringify({ logs, pages, comparisons }));
  const { stdout, stderr } = spawnSync("python3", [join(import.meta.dirname, "reading.py"), file], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const { compared, differing } = JSON.parse(stdout);
  console.log(`${compared} numbers compared with numpy and scipy, ${differing.length} differ`);
  expect(differing).toEqual([]);
  expect(compared).toBeGreaterThan(3000);
});
