import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalClient, type LineFault, type RolloutLine } from "@trainyard/local";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { importFile } from "../src/cli/import.ts";
import { temporaryFolder } from "./folders.ts";
import { allShown, send, sharedServer, shown } from "./lib.ts";

const server = sharedServer({ console: true });
const { control } = server;
const folder = temporaryFolder(afterAll);

/** Imports lines as a file, and returns how many records it had, and the faults. */
async function bring(text: string, as?: string) {
  const file = join(folder, `${randomUUID()}.jsonl`);
  writeFileSync(file, text);
  const faults: string[] = [];
  const fault = ({ line, message }: LineFault) => void faults.push(`${line}: ${message}`);
  const used: Record<string, number>[] = [];
  const options = {
    as,
    fault,
    used: ({ checked = {}, ignored = {} }) => void used.push({ ...checked }, { ...ignored }),
  };
  const again = () => importFile("logs", file, createLocalClient(server.connect("local")), options);
  return { records: await again().catch((error: Error) => error.message), faults, used, again };
}

const runNamed = async (name: string) =>
  (await control.runs.list({ limit: 100 })).data.find((run) => run.name === name);
const local = server.connect("local");
const exported = (id: string) => control.runs.rollouts.export(id, { query: {} });
const plain = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line): RolloutLine => JSON.parse(line))
    .map(({ id: _id, group: _group, ...rest }) => rest);

const value = fc.constantFrom(0, 0.5, 1, 1e-9, 3.25);
const trajectory = fc.record(
  {
    messages_and_choices: fc
      .tuple(fc.constantFrom("Is it late?", "“Grüß”\n\u2028"), fc.string())
      .map(([question, content]) => [
        { role: "user", content: question },
        { index: 0, finish_reason: "stop", message: { role: "assistant", content } },
      ]),
    reward: value,
    metrics: fc.dictionary(fc.constantFrom("m", "passed"), value, { maxKeys: 2 }),
  },
  { requiredKeys: ["messages_and_choices"] },
);
const group = fc.record(
  {
    trajectories: fc.array(trajectory, { minLength: 1, maxLength: 4 }),
    exceptions: fc.array(fc.constant({ type: "Timeout", message: "late", traceback: "x" }), { maxLength: 1 }),
    metadata: fc.dictionary(fc.constantFrom("task", "dataset"), fc.constantFrom("a", "b"), { maxKeys: 2 }),
    metrics: fc.dictionary(fc.constant("difficulty"), value),
    logs: fc.array(fc.string(), { maxLength: 2 }),
  },
  { requiredKeys: ["trajectories"] },
);

it(
  "reads an export of its own: the same lines and the same figures, and the same bytes change nothing",
  { tags: ["long"] },
  async () => {
    const logs = fc.sample(fc.array(group, { minLength: 1, maxLength: 4 }), { numRuns: 30, seed: 7 });
    const { training } = server.clients(server.fresh());
    const { id } = await training.models.create({
      project: "p",
      name: `from-${randomUUID()}`,
      base_model: "demo/tiny",
    });
    for (const [index, groups] of logs.entries())
      await training.models.log(id, { split: index % 3 === 0 ? "val" : "train", trajectory_groups: groups as never });
    const text = await exported(id);
    const name = `to-${randomUUID()}`;
    const { records, used, again } = await bring(text, `artifact:///harbor/p/${name}`);
    expect(records).toBe(plain(text).length);
    expect(used[0]).toMatchObject({ "attempt.reward": records, "attempt.exception": records });
    expect(used[1]).toMatchObject({ id: records, name: records });
    const run = await runNamed(name);
    const copy = await exported(run?.id ?? "");
    expect(plain(copy)).toEqual(plain(text));
    for (const split of ["train", "val"]) {
      const [was, is] = await Promise.all(
        [id, run?.id ?? ""].map((one) => shown(local, "/runs/{run_id}/curve", { run_id: one }, { split })),
      );
      expect(is).toEqual(was);
    }
    expect(await again()).toBe(0);
    expect(await exported(run?.id ?? "")).toBe(copy);
  },
);

const line = (fields: object) => JSON.stringify({ step: 3, split: "train", trajectory: { reward: 1 }, ...fields });
const to = "artifact:///harbor/p/";

it("gives a run its steps, groups what has the same group, and keeps times", async () => {
  const name = `run-${randomUUID()}`;
  const run = { project: "p", name, base_model: "acme/large" };
  const time = "2026-01-02T03:04:05.000Z";
  const lines = [
    line({ run, group: 7, time, trajectory: { reward: 1 } }),
    line({ run, step: 5 }),
    line({ run, group: "7", trajectory: null, exception: { type: "Timeout", message: "", traceback: "" } }),
    "",
    line({ run, group: null, trajectory: { reward: 0 } }),
    JSON.stringify({
      run,
      step: 3,
      split: "val",
      trajectories: [{ reward: 1 }, { reward: 0 }],
      metadata: { task: "t" },
    }),
  ];
  expect(await bring(lines.join("\n"))).toMatchObject({ records: 5, faults: [] });
  const made = await runNamed(name);
  expect(made).toMatchObject({ entity: "local", base_model: "acme/large" });
  const { data } = await shown(local, "/runs/{run_id}/groups", { run_id: made?.id ?? "" }, { limit: 20 });
  const seen = data.map(({ step, split, attempts, exceptions, mean }) => [step, split, attempts, exceptions, mean]);
  expect(seen.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    [3, "train", 1, 0, 0],
    [3, "train", 1, 1, 1],
    [3, "val", 2, 0, 0.5],
    [5, "train", 1, 0, 1],
  ]);
  expect(plain(await exported(made?.id ?? ""))[0]).toMatchObject({ step: 3, time });
});

it.each([
  ["{", "It is not valid JSON."],
  [
    line({ trajectory: { reward: 0 } }).replace(":0}", ":NaN}"),
    "trajectory.reward: NaN is no number of JSON, although Python writes it. Leave the field out, or write a number.",
  ],
  [
    line({ trajectory: { metrics: { a: [7] } } }).replace("[7]", "-Infinity"),
    "trajectory.metrics.a: -Infinity is no number",
  ],
  [line({ x: "NaN", y: 0 }).replace(":0}", ":Infinity}"), "y: Infinity is no number"],
  [line({ step: -1 }), "step: "],
  [line({ split: undefined }), "split: "],
  [line({ time: "yesterday" }), "time: "],
  [line({ run: { project: "p" } }), "run.name: "],
  [line({ trajectory: { reward: "1" } }), "trajectory.reward: "],
  [line({ trajectory: null }), "trajectory: A line has either a trajectory, or an exception, or the lists of a group."],
  [line({ exception: { type: "T", message: "", traceback: "" } }), "trajectory: A line has either"],
  [line({ trajectories: [] }), "trajectory: A line has either"],
  [line({ trajectory: null, exception: { type: 1, message: "", traceback: "" } }), "exception.type: "],
  [
    line({ attempt: { reward: 0.5 } }),
    "attempt.reward: It is 0.5, and the trajectory says 1. Correct one, or leave attempt out.",
  ],
])("names the line, the field and the cure of %s, and stores nothing of the file", async (wrong, message) => {
  const name = `bad-${randomUUID()}`;
  const good = Array.from({ length: 3 }, () => line({}));
  const { records, faults } = await bring([...good, wrong, ...good].join("\n"), to + name);
  expect(records).toBe("1 of 7 lines are invalid. Nothing was imported.");
  expect(faults).toEqual([expect.stringContaining(`4: ${message}`)]);
  expect(await runNamed(name)).toBeUndefined();
});

it("asks for the run of a line that names none", async () => {
  expect((await bring(line({}))).faults).toEqual([
    "1: run: It is missing. Add {project, name} to each line, or pass --as artifact:///entity/project/name.",
  ]);
});

it("imports a file again whose run was deleted", async () => {
  const name = `gone-${randomUUID()}`;
  const entity = server.fresh();
  const { records, again } = await bring(line({}), `artifact:///${entity}/p/${name}`);
  expect([records, await again()]).toEqual([1, 0]);
  await server.clients(entity).training.models.delete((await runNamed(name))?.id ?? "");
  expect(await again()).toBe(1);
});

it("continues at the file that was wrong, if the same files are imported again", async () => {
  const as = `${to}corrected-${randomUUID()}`;
  const [first, second] = [line({ step: 1 }), [line({ step: 2 }), line({ step: 3 })].join("\n")];
  expect([(await bring(first, as)).records, (await bring(`${second}\n{`, as)).records]).toEqual([
    1,
    "1 of 3 lines are invalid. Nothing was imported.",
  ]);
  expect([(await bring(first, as)).records, (await bring(second, as)).records]).toEqual([0, 2]);
  const { id = "" } = (await runNamed(as.slice(to.length))) ?? {};
  expect(plain(await exported(id)).map(({ step }) => step)).toEqual([1, 2, 3]);
});

it("reports unknown names inside trajectories, and reads answers that are written as messages", async () => {
  const name = `messages-${randomUUID()}`;
  const said = { role: "assistant", content: "It is late.", reasoning_content: "Look at the board." };
  const line = {
    step: 0,
    split: "train",
    run: { project: "p", name },
    metadta: {},
    trajectory: { messages_and_choices: [{ role: "user", content: "Is it late?" }, said], messages: [], reward: 1 },
  };
  const { records, used } = await bring(JSON.stringify(line));
  expect({ records, used }).toEqual({ records: 1, used: [{}, { metadta: 1, "trajectory.messages": 1 }] });
  const { id = "" } = (await runNamed(name)) ?? {};
  const [rollout] = await allShown(local, "rollouts", id);
  expect(rollout).toMatchObject({ name: "Is it late?", attempt: { turns: 1, preview: "It is late." } });
  const query = "/runs/" + id + "/rollouts/search?text=board";
  const found = await (await send(local, query)).text();
  expect(found).toContain('"part":"reasoning"');
});

it.each([
  ["\uFEFF{}", /byte order mark/],
  ['[\n{"step": 0}\n]', /JSON array.*jq/],
  ['{"input": "q", "output": "a", "gts": 1, "score": 1, "step": 1}', /verl.*import-verl\.ts/],
  ['{"prompt": "q", "completion": "a", "reward": 1}', /TRL.*import-verl\.ts/],
  ['{"messages": [{"role": "user", "content": "q"}]}', /OpenAI.*import artifacts/],
  ['{"question": "q", "answer": "a"}', /dataset.*rollouts\.ts/],
])("refuses a file once, and says what it is: %s", async (text, sentence) => {
  const { records, faults } = await bring(`${text}\n${text}`, "artifact:///local/math/foreign");
  expect(records).toMatch(sentence);
  expect(faults).toEqual([]);
});
