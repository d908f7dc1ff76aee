/** What Compare, Tasks and Task say, and what cannot be compared. Their numbers are calculated again in `reading.test.ts`. */
import { expect, it } from "vitest";
import { attempt, makeData } from "./underived-data.ts";

interface Group {
  readonly metadata: { readonly task: string };
  readonly trajectories: readonly { readonly reward: number }[];
  readonly exceptions?: readonly object[];
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1);
const group = (task: string, rewards: readonly number[]): Group => ({
  metadata: { task },
  trajectories: rewards.map((reward) => attempt(reward)),
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
  const { data: ranked } = data.ask("tasks.list", { id: "m", from: 8, to: 9, sort: "change", limit: 9 });
  expect(ranked.map(({ now }) => now?.change)).toEqual(found.slice(0, 9).map(({ values: [, now] }) => now?.change));
  const { values } = data.ask("tasks.get", { id: "m", task: "refund-1" });
  expect(values.map(({ rewards }) => mean(rewards))).toEqual([0.75, 0.25]);
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
    expect(data.idsOf("runs.list", { sort, limit: 1 }).join("")).toBe(expected);
  }
  const page = data.ask("runs.list", { sort: "-best", limit: 9 });
  expect(page.data.map(({ best, last }) => [best, last])).toEqual([
    [0.9, 0.4],
    [0.7, 0.1],
    [0.6, 0.6],
    [null, null],
  ]);
});
