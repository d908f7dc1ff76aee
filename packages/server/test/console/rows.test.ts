import type { SearchLine } from "@trainyard/console";
import { expect, it } from "vitest";
import { commands } from "../../src/store/commands/index.ts";
import { allShown, sharedServer } from "../lib.ts";
import { expectClose, plainCurve, plainSpread, type PlainGroup, type PlainLog } from "./plain-reading.ts";
import { generator } from "./rollouts.ts";
import { answer, attempt, makeData } from "./underived-data.ts";

const server = sharedServer();

function randomGroup(random: () => number, scale: number): PlainGroup {
  const same = random() < 0.3;
  const first = Math.round(random() * 4) / 4;
  return {
    trajectories: Array.from({ length: Math.floor(random() * 5) }, () => ({
      messages_and_choices: [
        { role: "user", content: "q" },
        {
          ...answer("a"),
          ...(random() < 0.7 && {
            logprobs: {
              content: Array.from({ length: Math.floor(random() * 9) }, () => ({ token: "a", logprob: -1 })),
            },
          }),
        },
      ],
      ...(random() < 0.9 && { reward: scale * (same ? first : Math.round(random() * 20) / 20) }),
      ...(random() < 0.5 && { metrics: { m: random() < 0.5 ? random() < 0.5 : random() } }),
    })),
    ...(random() < 0.2 && { exceptions: [{ type: "Timeout", message: "late", traceback: "" }] }),
  };
}

it("gives the same figures as a plain reading of the logs", () => compareLogs(300, -7.5, 12));

it("gives the same figures for more logs and other rewards", { tags: ["long"] }, () => compareLogs(1000, 1, 11));

/** @param scale multiplies each reward */
function compareLogs(amount: number, scale: number, seed: number): void {
  const random = generator(seed);
  const data = makeData();
  data.addModel("m");
  const logs: PlainLog[] = [];
  for (let count = 0; count < amount; count++) {
    const log = {
      step: Math.floor(random() * 40),
      split: random() < 0.8 ? "train" : "val",
      groups: Array.from({ length: Math.floor(random() * 3) }, () => randomGroup(random, scale)),
    };
    logs.push(log);
    data.addLog("m", log.step, log.split, log.groups);
    // In pieces of any size, between which the curve is read.
    if (random() < 0.02) data.derive(0);
    if (random() < 0.02) commands["runs.curve"]({ database: data.database, now: 0 }, { id: "m", split: "train" });
  }
  for (const split of ["train", "val"]) {
    const curve = data.ask("runs.curve", { id: "m", split });
    const plain = plainCurve(logs, split);
    expect(curve.step).toEqual(plain.map(({ step }) => step));
    expect(curve.n).toEqual(plain.map(({ n }) => n));
    expect(curve.cells).toEqual(plain.map(({ cells }) => cells));
    expect(curve.exceptions).toEqual(plain.map(({ exceptions }) => exceptions));
    expect(curve.tokens).toEqual({ p50: plain.map(({ p50 }) => p50), p90: plain.map(({ p90 }) => p90) });
    const pairs: [readonly (number | null)[], (number | null)[]][] = [
      [curve.mean, plain.map((step) => step.mean)],
      [curve.sd, plain.map((step) => step.sd)],
      [curve.flat_low, plain.map((step) => step.low)],
      [curve.flat_high, plain.map((step) => step.high)],
      [curve.metrics["m"] ?? [], plain.map((step) => step.metric)],
    ];
    for (const [ours, others] of pairs) expectClose(ours, others);
  }
  for (const [at, log] of logs.entries()) {
    if (at % 25 !== 0) continue;
    for (const [place, group] of log.groups.entries()) {
      const found = data.ask("groups.get", { id: "m", groupId: `${at + 1}.${place}` });
      const { mean, sd, advantages } = plainSpread(group);
      expectClose([found.summary.mean, found.summary.sd], [mean, sd]);
      expectClose(
        found.attempts.slice(0, advantages.length).map(({ advantage }) => advantage),
        advantages,
      );
      // JSON has no negative zero.
      expect(found.group).toEqual(JSON.parse(JSON.stringify(group)));
    }
  }
}

it("marks groups that were trained on, whether they were logged before, after or never", () => {
  const data = makeData();
  data.addModel("m");
  const group = (text: string) => ({ trajectories: [attempt(1, text, -0.5), attempt(0, text, -0.25)] });
  data.addLog("m", 0, "train", [group("before"), group("not trained")]);
  data.addJob("m", "job", [group("before"), group("after"), group("never")]);
  const flagsByGroup = () => {
    const page = data.ask("groups.list", { id: "m", sort: "place", limit: 50 });
    return Object.fromEntries(page.data.map(({ id, flags }) => [id, flags]));
  };
  expect(flagsByGroup()).toEqual({
    "1.0": ["trained"],
    "1.1": [],
    "j1.1": ["trained", "not-logged"],
    "j1.2": ["trained", "not-logged"],
  });
  const counts = () => {
    const curve = data.ask("runs.curve", { id: "m", split: "train" });
    return { n: curve.n, exceptions: curve.exceptions };
  };
  expect(counts()).toEqual({ n: [8], exceptions: [0] });
  // It replaces the job's group, and has more than the job was sent.
  data.addLog("m", 0, "train", [{ ...group("after"), exceptions: [{ type: "Late", message: "", traceback: "" }] }]);
  expect(counts()).toEqual({ n: [8], exceptions: [1] });
  expect(flagsByGroup()).toEqual({
    "1.0": ["trained"],
    "1.1": [],
    "2.0": ["exception", "trained"],
    "j1.2": ["trained", "not-logged"],
  });
});

it("counts a group whose attempts were all thrown once, if a job trains on it too", () => {
  const data = makeData();
  data.addModel("m");
  const thrown = (task: string) => ({
    metadata: { task },
    trajectories: [],
    exceptions: [{ type: "Late", message: "", traceback: "" }],
  });
  data.addLog("m", 0, "train", [thrown("a"), thrown("b")]);
  data.addJob("m", "job", [thrown("b"), thrown("c")]);
  const page = data.ask("groups.list", { id: "m", sort: "place", limit: 50 });
  expect(page.data.map(({ id, task }) => [id, task])).toEqual([
    ["1.0", "a"],
    ["1.1", "b"],
    ["j1.1", "c"],
  ]);
});

it("finds what its rules describe", () => {
  const data = makeData();
  data.addModel("m");
  const called = {
    ...answer(""),
    message: {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", type: "function", function: { name: "refund", arguments: "{}" } }],
    },
  };
  const caller = { messages_and_choices: [{ role: "user", content: "q" }, called, answer("done")], reward: 0.5 };
  data.addLog("m", 0, "train", [
    { trajectories: [caller, caller, attempt(0.9, "I did it"), attempt(0.1, "no")] },
    { trajectories: ["a", "a", "a"].map((text) => attempt(1, text)) },
    // They differ only by rounding: as for the trainer, that is no signal.
    { trajectories: [attempt(0.1 + 0.2, "x"), ...["y", "z", "w"].map((text) => attempt(0.3, text))] },
    { trajectories: [attempt(1, "alone")], exceptions: [{ type: "Timeout", message: "late", traceback: "" }] },
    {
      trajectories: [
        { ...attempt(0.4, "cut"), messages_and_choices: [{ ...answer("cut"), finish_reason: "length" }] },
        attempt(0.3, "z"),
      ],
    },
  ]);
  data.addLog("m", 9, "train", [
    {
      trajectories: [
        { ...attempt(1), final_policy_version: 6 },
        { ...attempt(0), final_policy_version: 7 },
      ],
    },
  ]);
  const page = data.ask("rollouts.list", { id: "m", sort: "step", limit: 100 });
  expect(
    page.data.filter(({ attempt: { flags } }) => flags.length > 0).map(({ id, attempt: { flags } }) => [id, ...flags]),
  ).toEqual([
    ["1.1.0", "same-answer", "flat-high"],
    ["1.1.1", "same-answer", "flat-high"],
    ["1.1.2", "same-answer", "flat-high"],
    ["1.2.0", "flat-low"],
    ["1.2.1", "flat-low"],
    ["1.2.2", "flat-low"],
    ["1.2.3", "flat-low"],
    ["1.3.0", "single"],
    ["1.3.1", "exception"],
    ["1.4.0", "cut"],
    ["2.0.0", "stale"],
  ]);
  const rounded = page.data.filter(({ id }) => id.startsWith("1.2."));
  expect(rounded.map(({ attempt: { advantage } }) => advantage)).toEqual([0, 0, 0, 0]);
});

it.each([
  [{}, [1, -1, 0, 0], true],
  [{ scale_rewards: false }, [0.5, -0.5, 0, 0], true],
  [{ scale_rewards: false, normalize_advantages: true, advantage_balance: 0.5 }, [1, -0.5, 0, 0], true],
  [null, [1, -1, 0, 0], false],
])(
  "shows, sorts and filters the advantages that a job with the settings %j trained",
  (given, advantages, isTrained) => {
    const data = makeData();
    data.addModel("m");
    const groups = [
      { trajectories: [attempt(1, "x"), attempt(0, "y")] },
      { trajectories: [attempt(0.1 + 0.2, "z"), attempt(0.3, "z")] },
    ];
    data.addLog("m", 0, "train", groups);
    data.addJob("m", "job", groups);
    data.derive();
    const counted = (range: string) => {
      const curve = data.ask("runs.curve", { id: "m", split: "train", advantage: range });
      return curve.n[0] ?? 0;
    };
    expect(counted("0.9..")).toBe(1);
    const settings =
      given &&
      JSON.stringify(
        Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { value, origin: "sent" }])),
      );
    data.database.run("update jobs set settings = :settings", { settings });
    const shown = (sort: string, range = "") => {
      const page = data.ask("rollouts.list", { id: "m", sort, advantage: range, limit: 100 });
      return page.data.map(({ attempt: { advantage } }) => advantage);
    };
    expect(shown("step")).toEqual(advantages);
    expect(shown("advantage")).toEqual(advantages.toSorted((a, b) => a - b));
    for (const limit of [-0.75, -0.5, 0.5, 0.75]) {
      const within = advantages.filter((value) => value >= limit);
      expect(shown("step", `${limit}..`)).toEqual(within);
      // Also where the curve was read before the trainer told its settings.
      expect(counted(`${limit}..`)).toBe(within.length);
    }
    expect(counted("0.9..")).toBe(advantages.filter((value) => value >= 0.9).length);
    const detail = data.ask("groups.get", { id: "m", groupId: "1.0" });
    expect(detail.advantages.job).toBe(isTrained ? "job" : null);
  },
);

it("pages through each order without repetitions, even with equal values", () => {
  const data = makeData();
  data.addModel("m");
  const random = generator(3);
  for (let step = 0; step < 6; step++) {
    data.addLog(
      "m",
      step,
      "train",
      Array.from({ length: 4 }, () => randomGroup(random, 1)),
    );
  }
  for (const sort of ["step", "-step", "reward", "-reward", "tokens", "-tokens", "-turns", "-tool_calls"] as const) {
    const seen = data.idsOf("rollouts.list", { id: "m", sort, limit: 7 });
    expect(seen.length).toBe(data.ask("rollouts.list", { id: "m", sort, limit: 7 }).total);
    expect(new Set(seen).size).toBe(seen.length);
  }
  expect(() => data.ask("rollouts.list", { id: "m", sort: "step", limit: 7, after: "nonsense" })).toThrow(
    "unknown-cursor",
  );
});

it.each([
  ["stop", [0]],
  ['"STOP"', [0]],
  ["said stop", [0]],
  ["said größe", []],
  ["GRÖSSE größe", [1]],
  ["ÄNDERN", [1]],
  [String.raw`C:\TEMP\new`, [2]],
  [String.raw`temp\\new`, []],
  ["new", [2]],
  ["u0001", []],
  ["a\u0001b", [3]],
  ["λόγος", [4]],
  ["😀", [4]],
  ['"-1_x"', [5]],
  ["stop -said", []],
  ['größe -"c:" -stop', [1]],
])("finds the words %j in any case, and nothing of how they are stored", (text, places) => {
  const data = makeData();
  data.addModel("m");
  const answers = [
    'He said "Stop".',
    "Größe ändern: GRÖSSE",
    String.raw`c:\temp\new`,
    "A\u0001B",
    "ΛΌΓΟΣ 😀",
    "{-1_X}",
  ];
  data.addLog("m", 1, "train", [{ trajectories: answers.map((one) => attempt(1, one)) }]);
  const found = data.ask("rollouts.search", { id: "m", text });
  const { hits }: SearchLine = JSON.parse(found.text);
  expect(hits.map(({ rollout }) => rollout.attempt.place)).toEqual(places);
});

it("reads a group of 200,000 attempts and exceptions", { tags: ["long"] }, () => {
  const data = makeData();
  data.addModel("m");
  const trajectories = Array.from({ length: 200_000 }, (_, reward) => ({ messages_and_choices: [], reward }));
  data.addLog("m", 1, "train", [
    { trajectories, exceptions: trajectories.map(() => ({ type: "Timeout", message: "", traceback: "" })) },
  ]);
  expect(data.derive()).toEqual([]);
  expect(data.ask("runs.curve", { id: "m", split: "train" })).toMatchObject({ n: [200_000], exceptions: [200_000] });
});

it.each<[string, object, Partial<{ turns: number; tool_calls: number; preview: string }>]>([
  ["a message of a user", { role: "user", content: "x", message: "m", tool_calls: "abc" }, { turns: 0 }],
  ["another message", { role: "user", content: "x", message: null, tool_calls: 7 }, { turns: 0, preview: "" }],
  ["a call of a user", { role: "user", content: "x", tool_calls: [5, { type: "function" }] }, { tool_calls: 2 }],
  ["a text part", { role: "user", content: [{ type: "image_url", image_url: { url: "data:," }, text: 7 }] }, {}],
  [
    "a call of the model",
    {
      ...answer(""),
      message: {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "a", type: "function", function: { name: "look", arguments: "{}" }, custom: { name: { a: 1 } } },
        ],
      },
    },
    { turns: 1, tool_calls: 1, preview: "look(…)" },
  ],
])("accepts properties that the contract does not name, in %s", async (_, entry, facts) => {
  const { training } = server.clients(server.fresh());
  const model = await training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  const trajectories = [{ messages_and_choices: [entry], reward: 1 }];
  // @ts-expect-error The types do not name them either.
  await training.models.log(model.id, { split: "train", trajectory_groups: [{ trajectories }] });
  const data = await allShown(server.connect("local"), "rollouts", model.id);
  expect(data.map(({ attempt }) => attempt)).toMatchObject([facts]);
});

it("keeps a metric that few attempts have at its attempt", () => {
  const data = makeData();
  data.addModel("m");
  const trajectories = Array.from({ length: 40 }, (_, at) => ({ ...attempt(1), metrics: { all: at, [`m${at}`]: at } }));
  data.addLog("m", 0, "train", [{ trajectories }]);
  const found = data.ask("groups.get", { id: "m", groupId: "1.0" });
  expect(found.attempts.map(({ metrics }) => metrics)).toEqual(trajectories.map(({ metrics }) => metrics));
  const page = data.ask("rollouts.list", { id: "m", sort: "step", limit: 9, filter: { "metric.m30": "1.." } });
  expect(page).toMatchObject({ total: 1, data: [{ id: "1.0.30" }] });
  expect(data.ask("runs.curve", { id: "m", split: "train" })).toMatchObject({ metrics: { all: [19.5], m30: [30] } });
});
