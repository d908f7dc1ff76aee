import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ask, sameWeights, smallModel } from "../../test/lib.ts";
import { answer } from "../../test/rollout.ts";
import { readCheckpoint } from "../checkpoint/checkpoint.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { train } from "./train.ts";

const root = mkdtempSync(join(tmpdir(), "tiny-train-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const base = smallModel();

interface Event {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** A model's folder, in which jobs leave their steps. */
class Steps {
  readonly folder = mkdtempSync(join(root, "model-"));
  #last = 0;

  of(step: number): string {
    return join(this.folder, `step${step}`);
  }

  /** What the local server would give to the program, for a job that starts from a step. */
  job(extra: object, { from = this.#last, baseModel = "demo/tiny" } = {}): { text: string; output: string } {
    this.#last++;
    const output = this.of(this.#last);
    mkdirSync(output);
    const job = {
      job: { id: "d4f8", kind: "training_data" in extra ? "sft" : "rl", attempt: 1 },
      model: { id: "6f1d", entity: "harbor", project: "support-desk", name: "agent-1", base_model: baseModel },
      checkpoint: { step: from, directory: from === 0 ? null : this.of(from) },
      output: { step: this.#last, directory: output },
      ...extra,
    };
    return { text: JSON.stringify(job), output };
  }

  /** Does a job; the events that came of it. */
  async train(
    extra: object,
    options?: { from?: number; baseModel?: string },
  ): Promise<{ events: Event[]; settings: object[]; notes: string[]; output: string }> {
    const { text, output } = this.job(extra, options);
    const [events, settings]: [Event[], object[]] = [[], []];
    const notes: string[] = [];
    await train(text, {
      baseModels: async (name) => (name === "demo/tiny" ? base.clone() : undefined),
      emit: (type, data) => (type === "settings" ? settings.push(data) : events.push({ type, data: { ...data } })),
      note: (line) => notes.push(line),
      signal: new AbortController().signal,
    });
    return { events, settings, notes, output };
  }

  async weightsOf(step: number): Promise<TinyModel> {
    return (await readCheckpoint(this.of(step))).model;
  }
}

const rewardOf = (text: string) => ({ yes: 0.5, no: 0.75, maybe: 1 })[text] ?? 0;

function groupsOf(model: TinyModel, seed: number, reward = rewardOf) {
  const trajectories = Array.from({ length: 12 }, (_, index) => {
    const choice = answer(model, ask("Is it?"), seed * 100 + index);
    return { messages_and_choices: [...ask("Is it?"), choice], reward: reward(choice.message.content) };
  });
  return [{ trajectories }];
}

function dataFile(lines: readonly object[]): { url: string; file: string } {
  const file = join(mkdtempSync(join(root, "data-")), "training-data.jsonl");
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  return { url: "artifact:///harbor/support-desk/qa:v1", file };
}

const failureOf = (events: readonly Event[]) => {
  expect(events.map(({ type }) => type).filter((type) => type === "training_ended")).toEqual([]);
  return events.at(-1)?.type === "training_failed" ? String(events.at(-1)?.data["error_message"]) : undefined;
};

it("trains, event by event, to a checkpoint that the next job continues from", async () => {
  const steps = new Steps();
  const { events, settings } = await steps.train({ trajectory_groups: groupsOf(base, 1) });
  expect(settings).toEqual([expect.objectContaining({ learning_rate: { value: 10, origin: "default" } })]);
  expect(events.map(({ type }) => type)).toEqual([
    "training_started",
    ...Array.from({ length: 4 }, () => "gradient_step"),
    "training_ended",
  ]);
  expect(events[0]?.data).toEqual({ num_sequences: 12 });
  expect(events[1]?.data).toMatchObject({
    num_groups: 1,
    num_groups_trainable: 1,
    num_trajectories: 12,
    learning_rate: 10,
  });
  expect(events.at(-1)?.data).toEqual({ step: 1 });
  const { model, about } = await readCheckpoint(steps.of(1));
  expect(about).toMatchObject({
    step: 1,
    base_model: "demo/tiny",
    model: { entity: "harbor", project: "support-desk", name: "agent-1" },
  });
  expect(sameWeights(model, base)).toBe(false);

  // The same job from the same weights makes the same weights: nothing in it is random.
  const again = new Steps();
  await again.train({ trajectory_groups: groupsOf(base, 1) });
  expect(sameWeights(await again.weightsOf(1), model)).toBe(true);

  // A learning rate of 0 shows where a job starts.
  await steps.train({ trajectory_groups: groupsOf(base, 1), experimental_config: { learning_rate: 0 } });
  expect(sameWeights(await steps.weightsOf(2), model)).toBe(true);
});

it("completes a job whose groups have equal rewards, with unchanged weights, and says so", async () => {
  const steps = new Steps();
  const { events, notes } = await steps.train({ trajectory_groups: groupsOf(base, 2, () => 1) });
  expect(events.map(({ type }) => type)).toEqual(["training_started", "gradient_step", "training_ended"]);
  expect(events[0]?.data).toEqual({ num_sequences: 0 });
  expect(events[1]?.data).toMatchObject({ num_groups: 1, num_groups_trainable: 0, num_trainable_tokens: 0, reward: 1 });
  // Measured all the same: the model is the reference, and its answers differ.
  expect(events[1]?.data["kl_reference"]).toBeCloseTo(0, 12);
  expect(events[1]?.data["entropy"]).toBeGreaterThan(0);
  expect(events[2]?.data).toEqual({
    step: 1,
    message: expect.stringMatching(/^Nothing was trained.*all rewards are equal.*reward better answers more/),
  });
  expect(notes).toHaveLength(2);
  expect(sameWeights(await steps.weightsOf(1), base)).toBe(true);
});

it.each([0.1, 0, undefined])("reports the distance from the reference policy, with the penalty %s", async (coef) => {
  const { events } = await new Steps().train({
    trajectory_groups: groupsOf(base, 3),
    ...(coef !== undefined && { experimental_config: { kl_penalty_coef: coef } }),
  });
  const distances = events.flatMap(({ data }) => ("kl_reference" in data ? [Number(data["kl_reference"])] : []));
  // It starts at the reference.
  expect(distances[0]).toBeCloseTo(0, 12);
  expect(distances.slice(1).every((distance) => distance > 0)).toBe(true);
});

it("fine-tunes until it repeats the data, and reports what it ignores", async () => {
  const lines = [
    { messages: [...ask("Where is the order?"), { role: "assistant", content: "At gate 7." }] },
    { messages: [...ask("Who has it?"), { role: "assistant", content: "Ada, since noon." }], tools: [] },
  ];
  const steps = new Steps();
  const config = { metric_logging: { enabled: true, target_training_step: 1 } };
  const { events, notes } = await steps.train({ training_data: dataFile(lines), config });
  expect(events[0]).toEqual({ type: "training_started", data: { num_sequences: 2 } });
  const measured = events.filter(({ type }) => type === "gradient_step").map(({ data }) => data);
  expect(measured).toHaveLength(120);
  // Two messages of each, with a mark and an end: 70 characters and 8 tokens more.
  expect(measured[0]).toMatchObject({ num_sequences: 2, num_tokens: 64, num_trainable_tokens: 28, epoch: 1 });
  expect(measured[0]?.["loss"]).toBeGreaterThan(1);
  expect(measured.at(-1)?.["loss"]).toBeLessThan(0.01);
  expect(notes).toEqual([expect.stringMatching(/metric_logging has no effect/)]);
  const model = await steps.weightsOf(1);
  for (const { messages } of lines)
    expect(answer(model, messages.slice(0, 1), 1, 0).message.content).toBe(messages[1]?.content);
});

it("uses one rate for each batch", async () => {
  const line = { messages: [...ask("a"), { role: "assistant", content: "b" }] };
  const job = { training_data: dataFile([line, line, line]), config: { batch_size: 2, learning_rate: [0.5, 0.25] } };
  const { events } = await new Steps().train(job);
  const steps = events
    .filter(({ type }) => type === "gradient_step")
    .map(({ data }) => [data["learning_rate"], data["num_sequences"]]);
  expect(steps).toEqual([
    [0.5, 2],
    [0.25, 1],
  ]);
  const wrong = await new Steps().train({ ...job, config: { batch_size: 1, learning_rate: [0.5, 0.25] } });
  expect(failureOf(wrong.events)).toMatch(/2 rates, and the data makes up 3 batches of 1/);
});

it("learns only the last answer if the settings say so", async () => {
  const turns = {
    messages: [...ask("a"), { role: "assistant", content: "first" }, ...ask("b"), { role: "assistant", content: "x" }],
  };
  const { events } = await new Steps().train({ training_data: dataFile([turns]), config: { assistant_turns: "last" } });
  expect(events[1]?.data["num_trainable_tokens"]).toBe(2);
});

it("fails with a sentence about what it does not support, and leaves no checkpoint", async () => {
  const steps = new Steps();
  const good = { trajectory_groups: groupsOf(base, 4) };
  const sentences: [object, RegExp, object?][] = [
    [good, /no base model other\/large here.*demo\/tiny/, { baseModel: "other/large" }],
    [{ ...good, experimental_config: { kl_ref_adapter_path: "/a" } }, /kl_ref_adapter_path/],
    [{ ...good, experimental_config: { learning_rate: 1e300 } }, /^Training ran away: .*Lower the learning_rate/],
    [{ trajectory_groups: [{ trajectories: [{ reward: 1 }] }] }, /No trajectory holds a choice/],
    [{ training_data: dataFile([{ messages: [] }]) }, /Line 1 has no assistant message/],
    [{ training_data: {} }, /has no training data/],
    [
      {
        training_data: dataFile([{ messages: [{ role: "assistant", content: "a" }] }]),
        config: { learning_rate: [1e300] },
      },
      /^Training ran away: a weight/,
    ],
  ];
  for (const [extra, sentence, options] of sentences) {
    const { events, output } = await steps.train(extra, { from: 0, ...options });
    expect(failureOf(events)).toMatch(sentence);
    expect(readdirSync(output)).toEqual([]);
  }
});

it("fails on a damaged checkpoint, and on one of another base model", async () => {
  const steps = new Steps();
  await steps.train({ trajectory_groups: groupsOf(base, 5) });
  cpSync(steps.of(1), steps.of(7), { recursive: true });
  truncateSync(join(steps.of(7), "weights.f32"), 1000);
  const damaged = await steps.train({ trajectory_groups: groupsOf(base, 5) }, { from: 7 });
  expect(failureOf(damaged.events)).toMatch(/The checkpoint is damaged/);
  const other = await steps.train({ trajectory_groups: groupsOf(base, 5) }, { from: 1, baseModel: "demo/other" });
  expect(failureOf(other.events)).toMatch(/was trained from demo\/tiny, not from demo\/other/);
});

it.each([
  ["", /not valid JSON/],
  ["[]", /not a JSON object/],
  ["{}", /job\.kind/],
  ['{"job":{"kind":"rl"}}', /no model/],
  ['{"job":{"kind":"rl"},"model":{}}', /no output/],
  ['{"job":{"kind":"rl"},"model":{},"output":{}}', /model\.entity is not a string/],
])("throws if the input is not a job: %s", async (text, message) => {
  const parts = {
    baseModels: async () => base,
    emit: () => expect.unreachable(),
    note: () => undefined,
    signal: new AbortController().signal,
  };
  await expect(train(text, parts)).rejects.toThrow(message);
});

it("writes nothing once it is aborted", async () => {
  const { text, output } = new Steps().job({ trajectory_groups: groupsOf(base, 6) });
  const controller = new AbortController();
  const types: string[] = [];
  const emit = (type: string) => {
    types.push(type);
    if (types.length === 4) controller.abort();
  };
  const running = train(text, {
    baseModels: async () => base.clone(),
    emit,
    note: () => undefined,
    signal: controller.signal,
  });
  await expect(running).rejects.toThrow(/abort/i);
  expect(types).toEqual(["training_started", "settings", "gradient_step", "gradient_step"]);
  expect(readdirSync(output)).toEqual([]);
});
