import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { Thread } from "@trainyard/host/thread";
import { expect, it, onTestFinished, vi } from "vitest";
import { ConsoleIndex } from "../../src/console/console-index.ts";
import { openIndex } from "../../src/console/index-file.ts";
import type { ConsoleQuestion, ConsoleThreadData } from "../../src/console/thread.ts";
import type { Database } from "../../src/store/database.ts";
import { NodeDatabase } from "../../src/store/node-database.ts";
import { migrate } from "../../src/store/migrations.ts";
import { temporaryFolder } from "../folders.ts";
import { plainCurve, plainSpread, type PlainGroup, type PlainLog } from "./plain-reading.ts";
import { generator } from "./rollouts.ts";

/** Data that a test writes as the store does, and indexes of these data. */
function makeData() {
  const folder = temporaryFolder();
  const database = new NodeDatabase(join(folder, "trainyard.sqlite"));
  // These tests do not simulate a power failure.
  database.exec("pragma synchronous = off");
  migrate(database);
  const file = join(folder, "console.sqlite");
  const open: Database[] = [database];
  const close = () => open.splice(0).forEach((one) => one.close());
  onTestFinished(close);
  return {
    database,
    file,
    close,
    addModel: (id: string) =>
      database.run("insert into models values(:id, 'harbor', 'p', :id, 'demo/tiny', null, 0, 1)", { id }),
    addLog(model: string, step: number, split: string, groups: readonly object[]) {
      const body = Buffer.from(JSON.stringify({ split, trajectory_groups: groups }));
      database.run("insert into logs(model_id, step, split, created, body) values(:model, :step, :split, 5, :body)", {
        model,
        step,
        split,
        // Compressed or not, whatever its size: readers accept both.
        body: body.length % 2 === 0 ? body : zstdCompressSync(body),
      });
    },
    addJob: (model: string, id: string, groups: readonly object[]) =>
      database.run(
        `insert into jobs(id, entity, model_id, kind, status, request, created)
         values(:id, 'harbor', :model, 'rl', 'queued', :request, 6)`,
        { model, id, request: JSON.stringify({ trajectory_groups: groups }) },
      ),
    /** As after a start: with the content of the file, or without. */
    index(anew = false) {
      const discard = () => ["", "-wal", "-shm"].forEach((end) => rmSync(`${file}${end}`, { force: true }));
      if (anew) discard();
      const derived = openIndex(file, discard);
      const data = new NodeDatabase(join(folder, "trainyard.sqlite"), true);
      open.push(derived, data);
      const index = new ConsoleIndex(data, derived);
      // Whatever time it takes: a question waits for one piece alone.
      index.readOn(Number.POSITIVE_INFINITY);
      return index;
    },
  };
}

const answer = (text: string, logprob?: number): object => ({
  index: 0,
  finish_reason: "stop",
  message: { role: "assistant", content: text },
  ...(logprob !== undefined && { logprobs: { content: [{ token: text, logprob, top_logprobs: [] }] } }),
});
const attempt = (reward: number, text = "", logprob?: number) => ({
  messages_and_choices: [{ role: "user", content: "Which track?" }, answer(text, logprob)],
  reward,
});

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
  let index = data.index();
  for (let count = 0; count < amount; count++) {
    const log = {
      step: Math.floor(random() * 40),
      split: random() < 0.8 ? "train" : "val",
      groups: Array.from({ length: Math.floor(random() * 3) }, () => randomGroup(random, scale)),
    };
    logs.push(log);
    data.addLog("m", log.step, log.split, log.groups);
    // It is read while it is written, and interrupted at any point.
    if (random() < 0.01) index.readOn(0);
    // The summary of a step that was read is updated with later groups.
    if (random() < 0.01) index.answer("runs.curve", { id: "m", split: "train" });
    if (random() < 0.005) index = data.index();
  }
  for (const one of [index, data.index(true)]) {
    while (!one.readOn(1000));
    for (const split of ["train", "val"]) {
      const curve = one.answer("runs.curve", { id: "m", split });
      if (curve === "not-found") throw new Error("The run does not exist.");
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
        const found = one.answer("groups.get", { id: "m", groupId: `${at + 1}.${place}` });
        if (found === "not-found") throw new Error("A group does not exist.");
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
}

function expectClose(ours: readonly (number | null)[], others: readonly (number | null)[]): void {
  expect(ours.map((value) => value === null)).toEqual(others.map((value) => value === null));
  for (const [at, value] of ours.entries()) expect(value ?? 0).toBeCloseTo(others[at] ?? 0, 9);
}

it("counts nothing twice after a failure in the middle", () => {
  const data = makeData();
  data.addModel("m");
  data.addLog("m", 0, "train", [{ trajectories: [attempt(1), attempt(0)] }]);
  const index = data.index();
  const look = () => index.answer("runs.curve", { id: "m", split: "train" });
  expect(look()).toMatchObject({ n: [2] });
  data.addLog("m", 0, "train", [{ trajectories: [attempt(1)] }]);
  data.addLog("m", 0, "train", [{ trajectories: [attempt(0.25)] }]);
  const file = new NodeDatabase(data.file);
  file.exec(
    "create trigger fail before insert on rollouts when new.reward = 0.25 begin select raise(abort, 'full'); end",
  );
  for (let time = 0; time < 2; time++) expect(look).toThrow("full");
  file.exec("drop trigger fail");
  file.close();
  expect(look()).toMatchObject({ n: [4], mean: [0.5625] });
});

it("ends its thread cleanly while something remains to be read", async () => {
  const data = makeData();
  data.addModel("m");
  const files: ConsoleThreadData = { data: join(dirname(data.file), "trainyard.sqlite"), index: data.file };
  const module = new URL("../../src/console/thread.ts", import.meta.url);
  const thread = new Thread<ConsoleQuestion, unknown>({ name: "console", module, data: files });
  // After each question the thread schedules more reading.
  expect(await thread.ask({ name: "runs.list", input: { limit: 1 } })).toMatchObject({
    result: { data: [{ id: "m" }] },
  });
  await thread.close();
});

it("marks groups that were trained on, whether they were logged before, after or never", () => {
  const data = makeData();
  data.addModel("m");
  const group = (text: string) => ({ trajectories: [attempt(1, text, -0.5), attempt(0, text, -0.25)] });
  data.addLog("m", 0, "train", [group("before"), group("not trained")]);
  data.addJob("m", "job", [group("before"), group("after"), group("never")]);
  const index = data.index();
  const flagsByGroup = () => {
    index.readOn(Number.POSITIVE_INFINITY);
    const page = index.answer("groups.list", { id: "m", sort: "place", limit: 50 });
    if (typeof page === "string") throw new Error(page);
    return Object.fromEntries(page.data.map(({ id, flags }) => [id, flags]));
  };
  expect(flagsByGroup()).toEqual({
    "1.0": ["trained"],
    "1.1": [],
    "j1.1": ["trained", "not-logged"],
    "j1.2": ["trained", "not-logged"],
  });
  data.addLog("m", 0, "train", [group("after")]);
  expect(flagsByGroup()).toEqual({
    "1.0": ["trained"],
    "1.1": [],
    "2.0": ["trained"],
    "j1.2": ["trained", "not-logged"],
  });
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
  const index = data.index();
  const page = index.answer("rollouts.list", { id: "m", sort: "step", limit: 100 });
  if (typeof page === "string") throw new Error(page);
  expect(
    page.data.filter(({ attempt: { flags } }) => flags.length > 0).map(({ id, attempt: { flags } }) => [id, ...flags]),
  ).toEqual([
    ["1.0.2", "no-tool"],
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
  const found = index.answer("runs.findings", { id: "m", step: 0 });
  if (found === "not-found") throw new Error(found);
  expect(found.data.map(({ rule, severity, values }) => ({ rule, severity, ...values }))).toEqual([
    { rule: "no-signal", severity: "warning", share: 0.5, high: 0.25, low: 0.25 },
    { rule: "no-tool", severity: "warning", count: 1 },
    expect.objectContaining({ rule: "exceptions", count: 1, type: "Timeout" }),
    { rule: "same-answer", severity: "note", count: 3 },
  ]);
});

it.each(["kl", "kl_reference"])("says which KL grows: %s", (metric) => {
  const data = makeData();
  data.addModel("m");
  data.addLog("m", 6, "train", [{ trajectories: [attempt(1), attempt(0)] }]);
  for (const [step, value] of [0.01, 0.01, 0.01, 0.01, 0.01, 0.2].entries()) {
    data.addJob("m", `j${step}`, []);
    const [made, job] = [`c${step}`, `j${step}`];
    data.database.run("update jobs set status = 'completed' where id = :job", { job });
    data.database.run("insert into checkpoints values(:made, 'm', :step, '{}', 0, 7)", { made, step: step + 1 });
    for (const [type, event] of [
      ["gradient_step", { [metric]: value }],
      ["training_ended", { checkpoint_id: made }],
    ] as const)
      data.database.run("insert into events(id, job_id, type, data, created) values(:id, :job, :type, :event, 8)", {
        id: `${type}${step}`,
        job,
        type,
        event: JSON.stringify(event),
      });
  }
  const found = data.index().answer("runs.findings", { id: "m" });
  if (found === "not-found") throw new Error(found);
  expect(found.data.map(({ rule, values }) => ({ rule, ...values }))).toEqual([
    { rule: "kl", from: 0.01, to: 0.2, since: 1, metric },
  ]);
});

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
  const index = data.index();
  for (const sort of ["step", "-step", "reward", "-reward", "tokens", "-tokens", "-turns", "-tool_calls"] as const) {
    const seen: string[] = [];
    for (let after: string | undefined, hasMore = true; hasMore;) {
      const page = index.answer("rollouts.list", { id: "m", sort, limit: 7, ...(after !== undefined && { after }) });
      if (typeof page === "string") throw new Error(page);
      seen.push(...page.data.map(({ id }) => id));
      after = page.data.at(-1)?.id;
      hasMore = page.has_more;
      if (!hasMore) expect(seen.length).toBe(page.total);
    }
    expect(new Set(seen).size).toBe(seen.length);
  }
  expect(index.answer("rollouts.list", { id: "m", sort: "step", limit: 7, after: "nonsense" })).toBe("unknown-cursor");
});

it("forgets a deleted run, and reads reused row ids as the new rows", () => {
  const data = makeData();
  data.addModel("a");
  data.addLog("a", 0, "train", [{ trajectories: [attempt(1)] }]);
  const index = data.index();
  const before = index.answer("changes", { after: 0 });
  expect(before.runs).toEqual(["a"]);
  data.database.run("delete from models where id = 'a'");
  data.addModel("b");
  data.addLog("b", 3, "val", [{ trajectories: [attempt(0.5)] }]);
  expect(index.answer("changes", { after: before.seq }).runs.toSorted()).toEqual(["a", "b"]);
  expect(index.answer("runs.get", { id: "a" })).toBe("not-found");
  const curve = index.answer("runs.curve", { id: "b", split: "val" });
  expect(curve).toMatchObject({ step: [3], mean: [0.5] });
});

it("shows the valid parts of a body that does not match the contract", () => {
  const data = makeData();
  data.addModel("m");
  const odd = [
    null,
    7,
    {},
    { trajectories: "none" },
    { trajectories: [null, { reward: "much", messages_and_choices: [null, { role: 1 }] }] },
  ];
  data.addLog("m", 0, "train", odd as object[]);
  data.database.run("insert into logs(model_id, step, split, created, body) values('m', 1, 'train', 5, x'7b')");
  const index = data.index();
  expect(index.answer("runs.curve", { id: "m", split: "train" })).toMatchObject({ step: [0], n: [2], mean: [0] });
  expect(index.answer("groups.get", { id: "m", groupId: "1.4" })).toMatchObject({
    summary: { attempts: 2 },
    group: odd[4],
  });
});

it.each([
  [
    "of another version",
    (file: string) => {
      const database = new NodeDatabase(file);
      database.exec("update meta set version = 0");
      database.close();
    },
  ],
  ["not a database", (file: string) => writeFileSync(file, "not a database, but as long as one would be ".repeat(400))],
  ["deleted", (file: string) => rmSync(file)],
] as const)("creates its file again if it is %s", (_, spoil) => {
  const data = makeData();
  data.addModel("m");
  data.addLog("m", 0, "train", [{ trajectories: [attempt(1)] }]);
  data.index();
  data.close();
  spoil(data.file);
  expect(data.index().answer("runs.list", { limit: 5 })).toMatchObject({ data: [{ id: "m", rollouts: 1 }] });
});

it("names a body that cannot be read, and shows the rollouts of all other logs", () => {
  const report = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => report.mockRestore());
  const data = makeData();
  data.addModel("m");
  data.addLog("m", 0, "train", [{ trajectories: [attempt(1)] }]);
  const whole = zstdCompressSync(Buffer.from("{}"));
  for (const body of [whole.subarray(0, -1), Buffer.from("{")]) {
    data.database.run("insert into logs(model_id, step, split, created, body) values('m', 0, 'train', 5, :body)", {
      body,
    });
  }
  data.addLog("m", 1, "train", [{ trajectories: [attempt(0)] }]);
  const index = data.index();
  expect(index.answer("progress", { id: "m" })).toEqual({ done: 4, of: 4 });
  expect(index.answer("runs.get", { id: "m" })).toMatchObject({ run: { rollouts: 2 } });
  expect(
    report.mock.calls.map(([message]) => /^The body of the log \d of the model m cannot be read: /.test(message)),
  ).toEqual([true, true]);
});
