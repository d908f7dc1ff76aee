/* oxlint-disable vitest/no-standalone-expect -- all of it runs inside of a test */
// The commands of two teams, each with its expected result in a few lines.
import type { TrainingClient } from "@trainyard/training";
import fc from "fast-check";
import { expect } from "vitest";
import { until } from "./lib.ts";

/** The expected state of a model. */
interface PlainModel {
  id: string;
  entity: string;
  name: string;
  steps: Map<number, Record<string, number>>;
  seen: string[];
}

/** The expected state of a server. */
export interface Plain {
  models: PlainModel[];
  jobs: { id: string; entity: string; status: string }[];
  /** By entity, operation and key: the first request, its response, and how to repeat it. */
  keys: Map<string, { body: string; answer: unknown; again: () => Promise<unknown> }>;
  /** The fine-tuning job of each model on the existing data. */
  tuned: Map<string, string>;
}

/** The clients of two teams. */
export interface Real {
  clients: Record<string, TrainingClient>;
  entities: readonly [string, string];
}

export type Command = fc.AsyncCommand<Plain, Real>;

const who = fc.nat({ max: 1 });
const name = fc.constantFrom("a", "b", "c");
const pick = fc.nat({ max: 5 });

function command(text: string, run: (plain: Plain, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => text };
}

/** The outcome of a call: its result, or the status of its error. */
async function outcome<T>(call: PromiseLike<T>): Promise<T | number> {
  return Promise.resolve(call).catch((error: unknown) => (error as { status: number }).status);
}

/** One of a few keys, or none. */
const someKey = fc.constantFrom(undefined, "k1", "k1", "k2");
const withKey = (key: string | undefined) => (key === undefined ? {} : { idempotencyKey: key });

/** Sends a request with a key or none. Undefined if the key belongs to another request, which is rejected. */
async function sendOnce<T>(
  plain: Plain,
  operation: string,
  key: string | undefined,
  body: object,
  call: () => PromiseLike<T>,
): Promise<T | number | undefined> {
  const again = () => outcome(call());
  const found = await again();
  if (key === undefined) return found;
  const earlier = plain.keys.get(`${operation} ${key}`);
  if (earlier !== undefined) {
    expect(found).toEqual(earlier.body === JSON.stringify(body) ? earlier.answer : 409);
    return undefined;
  }
  // An error is not stored for the key.
  if (typeof found !== "number")
    plain.keys.set(`${operation} ${key}`, { body: JSON.stringify(body), answer: found, again });
  return found;
}

const repeat = fc.nat({ max: 11 }).map((index) =>
  command(`repeat ${index}`, async (plain) => {
    const [, earlier] = [...plain.keys][index % Math.max(1, plain.keys.size)] ?? [];
    // Also if the result has changed or was deleted since.
    if (earlier !== undefined) expect(await earlier.again()).toEqual(earlier.answer);
  }),
);

const create = fc.tuple(who, name, fc.boolean(), someKey).map(([team, title, again, key]) =>
  command(`create ${team} ${title} ${again} ${key}`, async (plain, { clients, entities }) => {
    const entity = entities[team] ?? "";
    const body = { project: "p", name: title, base_model: "demo/tiny", return_existing: again };
    const call = () => clients[entity]!.models.create(body, withKey(key));
    const found = await sendOnce(plain, `${entity} create`, key, body, call);
    if (found === undefined) return;
    const same = plain.models.find((model) => model.entity === entity && model.name === title);
    if (same !== undefined && !again) return expect(found).toBe(409);
    expect(found).toMatchObject({ name: title, entity, ...(same && { id: same.id }) });
    const { id } = found as { id: string };
    if (same === undefined) plain.models.push({ id, entity, name: title, steps: new Map([[0, {}]]), seen: [] });
  }),
);

/** A command on a model of either team, by one of the teams. */
const onModel = (
  text: string,
  run: (model: PlainModel, client: TrainingClient, plain: Plain, foreign: boolean, entity: string) => Promise<void>,
): fc.Arbitrary<Command> =>
  fc.tuple(who, pick).map(([team, index]) =>
    command(`${text} ${team} ${index}`, async (plain, { clients, entities }) => {
      const model = plain.models[index % Math.max(1, plain.models.length)];
      const entity = entities[team] ?? "";
      if (model !== undefined) await run(model, clients[entity]!, plain, model.entity !== entity, entity);
    }),
  );

const remove = onModel("delete", async (model, client, plain, foreign) => {
  const found = await outcome(client.models.delete(model.id));
  if (foreign) return expect(found).toBe(404);
  expect(found).toEqual({ model_id: model.id, deleted_checkpoints: model.steps.size, deleted_run: false });
  plain.models.splice(plain.models.indexOf(model), 1);
  expect(await outcome(client.models.delete(model.id))).toBe(404);
});

const log = fc.tuple(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }), someKey).chain(([rewards, key]) =>
  onModel(`log ${rewards.join()} ${key}`, async (model, client, plain, foreign, entity) => {
    const body = { split: "s", trajectory_groups: [{ trajectories: rewards.map((reward) => ({ reward })) }] };
    const call = () => client.models.log(model.id, body, withKey(key));
    const found = await sendOnce(plain, `${entity} log`, key, [model.id, body], call);
    if (found === undefined) return;
    if (foreign) return expect(found).toBe(404);
    const newest = Math.max(...model.steps.keys());
    const mean = rewards.reduce((a, b) => a + b, 0) / rewards.length;
    const deviation = Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length);
    const metrics: Record<string, number> =
      rewards.length === 0
        ? {}
        : { "s/reward": mean, "s/exception_rate": 0, "s/reward_std_dev": rewards.length > 1 ? deviation : 0 };
    expect(found).toEqual({ step: newest, metrics: close(metrics) });
    model.steps.set(newest, { ...model.steps.get(newest), ...metrics });
  }),
);

const train = onModel("train", async (model, client, plain, foreign) => {
  const created = await outcome(client.trainingJobs.createRl({ model_id: model.id, trajectory_groups: [] }));
  if (foreign) return expect(created).toBe(404);
  const { id } = created as { id: string };
  await until(async () => (await client.trainingJobs.get(id)).status === "failed");
  const { data } = await client.trainingJobs.events.list(id);
  expect(data.map(({ type }) => type)).toEqual(["training_failed"]);
  plain.jobs.push({ id, entity: model.entity, status: "failed" });
});

const forget = fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 3 }).chain((steps) =>
  onModel(`forget ${steps.join()}`, async (model, client, _, foreign) => {
    const found = await outcome(client.models.checkpoints.delete(model.id, { steps }));
    if (foreign) return expect(found).toBe(404);
    if (steps.includes(Math.max(...model.steps.keys()))) return expect(found).toBe(409);
    const there = steps.filter((step) => model.steps.has(step));
    expect(found).toEqual({
      deleted_count: there.length,
      not_found_steps: steps.filter((step) => !model.steps.has(step)),
    });
    for (const step of there) model.steps.delete(step);
  }),
);

/** Waits for a job that succeeds, and notes its new step. */
async function grown(model: PlainModel, client: TrainingClient, plain: Plain, id: string): Promise<void> {
  await until(async () => (await client.trainingJobs.get(id)).status === "completed");
  const types: string[] = [];
  for await (const { type } of client.trainingJobs.events.list(id, { limit: 1 })) types.push(type);
  expect(types).toEqual(["training_started", "training_ended"]);
  plain.jobs.push({ id, entity: model.entity, status: "completed" });
  model.steps.set(Math.max(...model.steps.keys()) + 1, {});
}

const grow = someKey.chain((key) =>
  onModel(`grow ${key}`, async (model, client, plain, foreign, entity) => {
    const body = { model_id: model.id, trajectory_groups: [{ trajectories: [{ reward: 1 }] }] };
    const call = () => client.trainingJobs.createRl(body, withKey(key));
    const found = await sendOnce(plain, `${entity} grow`, key, body, call);
    if (found === undefined) return;
    if (foreign) return expect(found).toBe(404);
    await grown(model, client, plain, (found as { id: string }).id);
  }),
);

const tune = fc.boolean().chain((there) =>
  onModel(`tune ${there}`, async (model, client, plain, foreign) => {
    const training_data_url = `artifact:///${model.entity}/p/${there ? "qa" : "none"}:v1`;
    const found = await outcome(client.trainingJobs.createSft({ model_id: model.id, training_data_url }));
    if (foreign) return expect(found).toBe(404);
    const { id } = found as { id: string };
    const earlier = plain.tuned.get(model.id);
    if (there && earlier !== undefined) return expect(id).toBe(earlier);
    if (there) {
      plain.tuned.set(model.id, id);
      return grown(model, client, plain, id);
    }
    // A failed job can be tried again.
    expect(plain.jobs.map((job) => job.id)).not.toContain(id);
    await until(async () => (await client.trainingJobs.get(id)).status === "failed");
    plain.jobs.push({ id, entity: model.entity, status: "failed" });
  }),
);

const list = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom("asc" as const, "desc" as const))
  .chain(([limit, order]) =>
    onModel(`list ${limit} ${order}`, async (model, client, _, foreign) => {
      if (foreign) return expect(await outcome(client.models.checkpoints.list(model.id))).toBe(404);
      const found: { step: number; metrics: Record<string, number> }[] = [];
      for await (const { id, step, metrics } of client.models.checkpoints.list(model.id, { limit, order })) {
        found.push({ step, metrics });
        model.seen.push(id);
      }
      const steps = [...model.steps].toSorted(([a], [b]) => (order === "asc" ? a - b : b - a));
      expect(found).toEqual(steps.map(([step, metrics]) => ({ step, metrics: close(metrics) })));
      // After any item that ever existed, deleted or not, a page has only the items that follow it.
      for (const after of model.seen.slice(-3)) {
        expect((await client.models.checkpoints.list(model.id, { after })).data.every(({ id }) => id !== after)).toBe(
          true,
        );
      }
      expect(await outcome(client.models.checkpoints.list(model.id, { after: model.id }))).toBe(422);
    }),
  );

const check = command("check", async (plain, { clients, entities }) => {
  for (const job of plain.jobs) {
    for (const entity of entities) {
      const found = await outcome(clients[entity]!.trainingJobs.get(job.id));
      if (entity === job.entity) expect(found).toMatchObject({ status: job.status });
      else expect(found).toBe(404);
    }
  }
});

function close(metrics: Record<string, number>): object {
  return Object.fromEntries(Object.entries(metrics).map(([key, value]) => [key, expect.closeTo(value, 9)]));
}

export const stories: fc.Arbitrary<Iterable<Command>> = fc.commands(
  [create, create, create, remove, log, log, train, forget, grow, grow, tune, repeat, list, list, fc.constant(check)],
  // As long as possible, because a repeated key or the cursor of a deleted item needs earlier commands.
  { maxCommands: 30, size: "max" },
);
