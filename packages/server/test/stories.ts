/* oxlint-disable vitest/no-standalone-expect -- all of it runs inside of a test */
// What two teams can do to a server, and in a few lines each what should come of it.
import type { TrainingClient } from "@trainyard/training";
import fc from "fast-check";
import { expect } from "vitest";
import { until } from "./lib.ts";

/** What a server should know of a model. */
interface PlainModel {
  id: string;
  entity: string;
  name: string;
  steps: Map<number, Record<string, number>>;
  seen: string[];
}

/** What a server should know. */
export interface Plain {
  models: PlainModel[];
  jobs: { id: string; entity: string; status: string }[];
  keys: Map<string, { body: string; answer: unknown }>;
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

const create = fc
  .tuple(who, name, fc.boolean(), fc.option(fc.constantFrom("k1", "k2"), { nil: undefined }))
  .map(([team, title, again, key]) =>
    command(`create ${team} ${title} ${again} ${key}`, async (plain, { clients, entities }) => {
      const entity = entities[team] ?? "";
      const body = { project: "p", name: title, base_model: "b", return_existing: again };
      const known = key === undefined ? undefined : plain.keys.get(`${entity} ${key}`);
      const found = await outcome(
        clients[entity]!.models.create(body, key === undefined ? {} : { idempotencyKey: key }),
      );
      if (known !== undefined) return expect(found).toEqual(known.body === JSON.stringify(body) ? known.answer : 409);
      const same = plain.models.find((model) => model.entity === entity && model.name === title);
      if (same !== undefined && !again) return expect(found).toBe(409);
      expect(found).toMatchObject({ name: title, entity, ...(same && { id: same.id }) });
      const { id } = found as { id: string };
      if (same === undefined) plain.models.push({ id, entity, name: title, steps: new Map([[0, {}]]), seen: [] });
      if (key !== undefined) plain.keys.set(`${entity} ${key}`, { body: JSON.stringify(body), answer: found });
    }),
  );

/** A command on a model of either team, by one of the teams. */
const onModel = (
  text: string,
  run: (model: PlainModel, client: TrainingClient, plain: Plain, foreign: boolean) => Promise<void>,
): fc.Arbitrary<Command> =>
  fc.tuple(who, pick).map(([team, index]) =>
    command(`${text} ${team} ${index}`, async (plain, { clients, entities }) => {
      const model = plain.models[index % Math.max(1, plain.models.length)];
      const entity = entities[team] ?? "";
      if (model !== undefined) await run(model, clients[entity]!, plain, model.entity !== entity);
    }),
  );

const remove = onModel("delete", async (model, client, plain, foreign) => {
  const found = await outcome(client.models.delete(model.id));
  if (foreign) return expect(found).toBe(404);
  expect(found).toEqual({ model_id: model.id, deleted_checkpoints: model.steps.size, deleted_run: false });
  plain.models.splice(plain.models.indexOf(model), 1);
  expect(await outcome(client.models.delete(model.id))).toBe(404);
});

const log = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }).chain((rewards) =>
  onModel(`log ${rewards.join()}`, async (model, client, _, foreign) => {
    const trajectory_groups = [{ trajectories: rewards.map((reward) => ({ reward })) }];
    const found = await outcome(client.models.log(model.id, { split: "s", trajectory_groups }));
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

const grow = onModel("grow", async (model, client, plain, foreign) => {
  const trajectory_groups = [{ trajectories: [{ reward: 1 }] }];
  const created = await outcome(client.trainingJobs.createRl({ model_id: model.id, trajectory_groups }));
  if (foreign) return expect(created).toBe(404);
  const { id } = created as { id: string };
  await until(async () => (await client.trainingJobs.get(id)).status === "completed");
  const { data } = await client.trainingJobs.events.list(id);
  expect(data.map(({ type }) => type)).toEqual(["training_started", "training_ended"]);
  plain.jobs.push({ id, entity: model.entity, status: "completed" });
  model.steps.set(Math.max(...model.steps.keys()) + 1, {});
});

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
      // Behind any item that was ever seen, deleted or not, only what lies behind it.
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
  [create, create, create, remove, log, log, train, forget, grow, grow, list, list, fc.constant(check)],
  {
    maxCommands: 30,
  },
);
