/** The numbers of Compare, Tasks and Task against a plain reading of the raw logs, and what cannot be compared. */
import { expect, it } from "vitest";
import { makeServer } from "../lib.ts";
import { expectClose } from "./plain-reading.ts";
import { generator } from "./rollouts.ts";
import { attempt, makeData } from "./underived-data.ts";

interface Group {
  readonly metadata: { readonly task: string };
  readonly trajectories: readonly { readonly reward: number }[];
  readonly exceptions?: readonly object[];
}
interface Log {
  readonly run: string;
  readonly step: number;
  readonly groups: readonly Group[];
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1);
const group = (task: string, rewards: readonly number[]): Group => ({
  metadata: { task },
  trajectories: rewards.map((reward) => attempt(reward)),
});

/** The rewards of a task at its newest step at or before another one, which have the step as well; undefined if there are none. */
function newest(logs: readonly Log[], of: { run: string; step: number; task: string }) {
  const steps = logs.flatMap(({ run, step, groups }) =>
    run === of.run && step <= of.step
      ? groups
          .filter(({ metadata, trajectories }) => metadata.task === of.task && trajectories.length > 0)
          .map(() => step)
      : [],
  );
  const step = Math.max(...steps);
  return steps.length === 0 ? undefined : { step, rewards: rewardsAt(logs, { ...of, step }) };
}

function rewardsAt(logs: readonly Log[], of: { run: string; step: number; task?: string }): number[] {
  return logs
    .filter(({ run, step }) => run === of.run && step === of.step)
    .flatMap(({ groups }) => groups)
    .filter(({ metadata }) => of.task === undefined || metadata.task === of.task)
    .flatMap(({ trajectories }) => trajectories.map(({ reward }) => reward));
}

function randomLogs(seed: number, data: ReturnType<typeof makeData>): Log[] {
  const random = generator(seed);
  const logs: Log[] = [];
  for (const run of ["a", "b"]) {
    data.addModel(run);
    for (let step = 0; step < 8; step++) {
      // Some tasks are drawn twice at a step, in one log or in two, and some groups have one attempt or none.
      for (let log = 0; log < 2; log++) {
        const groups = Array.from({ length: 4 }, () => {
          const rewards = Array.from({ length: Math.floor(random() * 5) }, () => Math.round(random() * 8) / 8);
          const exceptions = random() < 0.2 ? [{ type: "Late", message: "", traceback: "" }] : [];
          return { ...group(`task-${Math.floor(random() * 9)}`, rewards), exceptions };
        });
        logs.push({ run, step, groups });
        data.addLog(run, step, "train", groups);
      }
    }
  }
  return logs;
}

it("gives the same numbers as a plain reading of the logs", () => {
  for (let seed = 1; seed <= 12; seed++) {
    const data = makeData();
    const logs = randomLogs(seed, data);
    for (const [first, other] of [
      [
        { run: "a", step: 6 },
        { run: "a", step: 7 },
      ],
      [
        { run: "a", step: 2 },
        { run: "a", step: 5 },
      ],
      [
        { run: "a", step: 7 },
        { run: "b", step: 7 },
      ],
    ] as const) {
      const found = data.ask("compare.get", { runs: `${first.run}@${first.step},${other.run}@${other.step}` });
      const [change] = found.changes;
      const tasks = [...new Set(found.tasks.map(({ task }) => task))];
      const at = (task: string) => ({
        before: newest(logs, { ...first, task }),
        now: rewardsAt(logs, { ...other, task }),
      });
      for (const {
        task,
        values: [, value],
      } of found.tasks) {
        const { before, now } = at(task);
        const both = before !== undefined && now.length > 0;
        expect(value?.attempts).toBe(now.length);
        expectClose([value?.change ?? null], [both ? mean(now) - mean(before.rewards) : null]);
        const hasError = both && now.length > 1 && before.rewards.length > 1;
        const error = both
          ? Math.sqrt(variance(before.rewards) / before.rewards.length + variance(now) / now.length)
          : null;
        expectClose([value?.error ?? null], [hasError ? error : null]);
      }
      const common = tasks.map(at).filter(({ before, now }) => before !== undefined && now.length > 0);
      const changes = common.map(({ before, now }) => mean(now) - mean(before?.rewards ?? []));
      const total = mean(rewardsAt(logs, other)) - mean(rewardsAt(logs, first));
      expect(change?.tasks).toBe(common.length);
      expectClose(
        [change?.change ?? null, change?.same ?? null, change?.mix ?? null, change?.error ?? null],
        [total, mean(changes), total - mean(changes), Math.sqrt(variance(changes) / common.length)],
      );
      expect(found.total).toBe(tasks.length);
      for (const { run_id: run, step, mean: means } of found.curves)
        expectClose(
          means,
          step.map((one) =>
            rewardsAt(logs, { run, step: one }).length > 0 ? mean(rewardsAt(logs, { run, step: one })) : null,
          ),
        );
      const [worst] = found.worst;
      const fallen = common.filter(({ before, now }) => {
        const ofBoth = [before?.rewards ?? [], now];
        const error = ofBoth.some(({ length }) => length < 2)
          ? 0
          : Math.sqrt(ofBoth.reduce((sum, rewards) => sum + variance(rewards) / rewards.length, 0));
        return mean(before?.rewards ?? []) - mean(now) > error;
      });
      const depths = fallen.flatMap(({ before, now }) => now.map((one) => one - mean(before?.rewards ?? [])));
      expectClose(
        [worst ? (worst.rollout.attempt.reward ?? 0) - worst.before : null],
        [depths.length > 0 ? Math.min(...depths) : null],
      );
      // The change of a task in Tasks is that of Compare, for tasks that the later step has.
      const page = data.ask("tasks.list", {
        id: other.run,
        from: first.step,
        to: other.step,
        sort: "change",
        limit: 50,
      });
      if (typeof page === "string") throw new Error(page);
      if (first.run === other.run)
        for (const {
          task,
          values: [, value],
        } of found.tasks.filter(({ values }) => values[1]?.change != null))
          expect(page.data.find((one) => one.task === task)?.now).toMatchObject({
            change: value?.change,
            error: value?.error,
          });
      const ranks = page.data.map(({ now }) => now?.change ?? Infinity);
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      for (const { task, flat_share, attempts, groups } of page.data) {
        const all = logs
          .filter(({ run, step }) => run === other.run && step <= other.step)
          .flatMap((log) => log.groups.filter(({ metadata }) => metadata.task === task));
        const compared = all.filter(({ trajectories }) => trajectories.length > 1);
        const flat = compared.filter(
          ({ trajectories }) => new Set(trajectories.map(({ reward }) => reward)).size === 1,
        );
        expect({ attempts, groups }).toEqual({
          attempts: all.reduce((sum, { trajectories }) => sum + trajectories.length, 0),
          groups: all.length,
        });
        expectClose([flat_share], [compared.length === 0 ? null : flat.length / compared.length]);
        const detail = data.ask("tasks.get", { id: other.run, task });
        if (detail === "not-found") throw new Error(detail);
        for (const { step, rewards } of detail.values)
          expectClose(rewards, rewardsAt(logs, { run: other.run, step, task }));
      }
    }
  }
});

/** Rewards of eight attempts whose mean is nearly this. */
const around = (value: number) => Array.from({ length: 8 }, (_, at) => (at < Math.round(value * 8) ? 1 : 0));

it("says that the reward fell because eight tasks fell, and in which attempts", () => {
  const data = makeData();
  data.addModel("m");
  const [stable, before, after] = [0.625, 0.625, 0.125];
  const tasks = (refund: number) => [
    ...Array.from({ length: 8 }, (_, at) =>
      group(`hours-${at}`, around(at % 2 === 0 ? stable + 0.125 : stable - 0.125)),
    ),
    ...Array.from({ length: 8 }, (_, at) => group(`refund-${at}`, around(refund + (at % 2) / 8))),
  ];
  data.addLog("m", 8, "train", tasks(before));
  data.addLog("m", 9, "train", tasks(after));
  const { changes, tasks: found, worst } = data.ask("compare.get", { runs: "m@8,m@9" });
  expect(changes).toMatchObject([
    { change: -0.25, same: -0.25, mix: 0, mix_error: 0, tasks: 16, fell: 8, rose: 0, why: null },
  ]);
  expect(changes[0]?.error).toBeCloseTo(
    Math.sqrt(variance([...around(0.5), ...around(0.5)].map((one) => one / 2)) / 16),
    9,
  );
  expect(found.slice(0, 8).map(({ name }) => name.replace(/\d/, ""))).toEqual(Array(8).fill("refund-"));
  expect(worst.length).toBe(8);
  expect(worst[0]).toMatchObject({ item: 1, before: 0.75, rollout: { step: 9, attempt: { reward: 0 } } });
});

it("names what it leaves out, and compares the rest", () => {
  const data = makeData();
  for (const run of ["a", "b", "far", "empty"]) data.addModel(run);
  for (const step of [0, 1, 2, 3, 4]) data.addLog("a", step, "train", [group("t", [0, 1]), group("u", [1, 1])]);
  data.addLog("b", 0, "train", [group("only here", [0, 1])]);
  data.addLog("far", 0, "train", [group("t", [-400, 1200]), group("u", [3, 4])]);
  const ask = (runs: string) => data.ask("compare.get", { runs });
  expect(ask("a@0,nobody@1,a@9,a@x,a@0,empty,a@1,a@2,a@3,a@4").refused).toEqual([
    { of: "nobody@1", why: "unknown-run" },
    { of: "a@9", why: "unknown-step" },
    { of: "a@x", why: "unknown-step" },
    { of: "a@0", why: "repeated" },
    { of: "empty", why: "unknown-step" },
    { of: "a@4", why: "too-many" },
  ]);
  // A key of another entity learns nothing of these runs.
  const foreign = data.ask("compare.get", { runs: "a@0,a@1", entity: "lighthouse" });
  expect(foreign).toMatchObject({ items: [], curves: [], refused: [{ why: "unknown-run" }, { why: "unknown-run" }] });
  expect(ask("nobody")).toMatchObject({ items: [], refused: [{ why: "unknown-run" }] });
  expect(ask("a,b")).toMatchObject({
    changes: [{ change: -0.25, same: null, error: null, tasks: 0, why: "no-common-task", new: 1, gone: 2 }],
  });
  expect(ask("a,far")).toMatchObject({
    changes: [{ change: null, why: "ranges" }],
    tasks: [{ values: [{ mean: 0.5 }, { mean: 400, change: null }] }, {}],
    worst: [],
  });
});

const big = 1e308;
it.each<[string, Group[], Group[], object]>([
  [
    "equal differences",
    [group("t", [0, 0]), group("u", [0.5, 0.5])],
    [group("t", [0.1, 0.1]), group("u", [0.6, 0.6])],
    { why: "equal", error: null },
  ],
  ["one task", [group("t", [0, 1])], [group("t", [0, 0])], { why: "one-task", change: -0.5, same: -0.5, error: null }],
  [
    "one attempt",
    [group("t", [0]), group("u", [1])],
    [group("t", [1]), group("u", [1]), group("v", [1])],
    { why: null, error: 0.5, mix_error: null },
  ],
  ["no attempt", [group("t", [0, 1])], [group("t", [])], { why: "no-reward", change: null }],
  [
    "huge rewards",
    [group("t", [big, big]), group("u", [big, -big])],
    [group("t", [-big, -big]), group("u", [-big, big])],
    { why: "too-large", change: null },
  ],
  [
    "huge rewards that stay",
    [group("t", [big, big]), group("u", [big, -big])],
    [group("t", [big, big]), group("u", [big, -big])],
    { why: "equal", change: 0, mix: 0 },
  ],
])("writes no number where there is none: %s", (_, before, now, expected) => {
  const data = makeData();
  data.addModel("m");
  data.addLog("m", 0, "train", before);
  data.addLog("m", 1, "train", now);
  const found = data.ask("compare.get", { runs: "m@0,m@1" });
  expect(found.changes).toMatchObject([expected]);
  const tasks = data.ask("tasks.list", { id: "m", sort: "change", limit: 9 });
  const detail = data.ask("tasks.get", { id: "m", task: "t" });
  const curve = data.ask("runs.curve", { id: "m", split: "train" });
  const runs = data.ask("runs.list", { sort: "-best", limit: 9 });
  expect(
    JSON.stringify([found, tasks, detail, curve, runs], (_key, value) =>
      typeof value === "number" && !Number.isFinite(value) ? "no number" : value,
    ),
  ).not.toContain("no number");
});

it("shows what differs between the settings of two steps, and the figures of their jobs", () => {
  const data = makeData();
  data.addModel("m");
  for (const step of [1, 2]) {
    data.addLog("m", step, "train", [
      { ...group("t", [0, 1]), metadata: { task: "t", dataset: "gsm8k", lines: step } },
      { ...group("u", [0, 1]), metadata: { task: "u", dataset: "gsm8k", lines: step } },
    ]);
    data.addMade("m", step, { entropy: step });
    data.derive();
    data.database.run("update jobs set config = :config where id = :id", {
      id: `j${step}`,
      config: JSON.stringify({ learning_rate: step, epsilon: null }),
    });
  }
  const { items } = data.ask("compare.get", { runs: "m@1,m@2" });
  expect(items.map(({ settings }) => settings)).toEqual(
    [1, 2].map((step) => ({
      base_model: "demo/tiny",
      "job.learning_rate": step,
      "metadata.dataset": "gsm8k",
      "metadata.lines": step,
      "metadata.task": "2 values",
    })),
  );
  expect(items.map(({ figures }) => figures)).toEqual(
    [1, 2].map((step) => ({ reward: 0.5, exceptions: 0, tokens: null, turns: 1, flat: 0, "training.entropy": step })),
  );
});

it("orders runs by their best and last means, and pages through them", () => {
  const data = makeData();
  const means = { a: [0.2, 0.9, 0.4], b: [0.5, 0.6], c: [], d: [0.7, 0.1] };
  for (const [run, values] of Object.entries(means)) {
    data.addModel(run);
    for (const [step, value] of values.entries()) data.addLog(run, step, "train", [group("t", [value])]);
  }
  for (const [sort, expected] of [
    ["-best", "adbc"],
    ["best", "bdac"],
    ["-last", "badc"],
    ["last", "dabc"],
  ] as const) {
    let seen = "";
    for (let more = true; more;) {
      const page = data.ask("runs.list", { sort, limit: 1, ...(seen !== "" && { after: seen.slice(-1) }) });
      if (typeof page === "string") throw new Error(page);
      seen += page.data.map(({ id }) => id).join("");
      more = page.has_more;
    }
    expect(seen).toBe(expected);
  }
  const page = data.ask("runs.list", { sort: "-best", limit: 9 });
  expect(typeof page === "string" ? page : page.data.map(({ best, last }) => [best, last])).toEqual([
    [0.9, 0.4],
    [0.7, 0.1],
    [0.6, 0.6],
    [null, null],
  ]);
});

it("refuses names of a query that it does not know, with the nearest one", async () => {
  const server = makeServer({});
  const { baseUrl, apiKey, fetch } = server.connect("local");
  const { training } = server.clients();
  const { id } = await training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  const ask = async (path: string) => {
    const response = await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${apiKey}` } });
    return [response.status, JSON.stringify(await response.json())];
  };
  for (const [path, name, meant] of [
    ["/compare?runs=x&spilt=val", "spilt", "split"],
    [`/runs/${id}/tasks?form=3`, "form", "from"],
    [`/runs/${id}/rollouts?rewrad=1`, "rewrad", "reward"],
    [`/runs/${id}/groups?limitt=1`, "limitt", "limit"],
  ] as const)
    expect(await ask(path)).toEqual([
      422,
      expect.stringContaining(`no query parameter ${name}. Did you mean ${meant}?`),
    ]);
  const task = "../a b/<i>?é";
  await training.models.log(id, {
    split: "train",
    trajectory_groups: [{ metadata: { task }, trajectories: [{ reward: 1 }] }],
  });
  expect(await ask(`/runs/${id}/tasks/${encodeURIComponent(task)}`)).toEqual([
    200,
    expect.stringContaining(JSON.stringify(task)),
  ]);
  expect(await ask(`/runs/${id}/tasks/unknown`)).toEqual([404, expect.stringContaining("does not have this task")]);
  await server.end();
});
