import { createHash, randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ServerEvent } from "../src/index.ts";
import { migrate, migrations } from "../src/store/migrations.ts";
import { NodeDatabase } from "../src/store/node-database.ts";
import { logOf, modelOf, run } from "./commands.ts";
import { MadeRun, openDatabase } from "./console/rollouts.ts";
import { temporaryFolder } from "./folders.ts";
import { allShown, makeServer, send, shown, until } from "./lib.ts";
import { quickTrainer } from "./programs/quick-trainer.ts";
import { ended } from "./trainers.ts";
import { whole } from "./whole.ts";

it("lists the marks of a run, as the console does, and ends with 1 while one is open", async () => {
  const data = temporaryFolder();
  const database = openDatabase(data);
  const group = (task: number, mean: number) => ({
    metadata: { task: `task-${task}` },
    trajectories: Array.from({ length: 8 }, (_, at) => ({ reward: mean + (at % 2 === 0 ? 0.2 : -0.2) })),
  });
  const write = (name: string, steps: number, meanAt: (step: number, task: number) => number) => {
    const made = new MadeRun(database, name);
    for (let step = 0; step < steps; step++) {
      made.log(Array.from({ length: 8 }, (_, task) => group(task, meanAt(step, task))));
      made.train([], [], null);
    }
    return made.id;
  };
  const id = write("fell", 10, (step) => (step < 7 ? 0.6 : 0.2));
  write("rose-again", 14, (step) => (step >= 5 && step < 8 ? 0.2 : 0.6));
  write("steady", 10, () => 0.65);
  write("young", 2, () => 0.6);
  expect(new MadeRun(database, "empty").id).not.toBe(id);
  database.close();
  const server = makeServer({ data, console: true });
  const none = await run("marks", "fell", "--data", temporaryFolder());
  expect([none.code, none.said]).toEqual([2, expect.stringMatching(/^No server runs on the folder .* --data/)]);
  await server.listen({ port: 0 });
  const ask = (...args: string[]) => run("marks", ...args, "--data", data);
  const found = await ask("support-desk/fell", "--json");
  expect(found.code).toBe(1);
  expect(JSON.parse(found.output)).toEqual(await server.control.runs.marks(id));
  expect((await ask("fell")).output.split("\n")).toEqual([
    "open reward fell, step 7 to now: The mean reward fell from 0.6 at steps 0 to 2 to 0.2 in the last 3 steps, by 0.4 ± 0.021.",
    expect.stringMatching(/^1 open\. Looked at 10 steps of train: http:\S+\/console\/runs\//),
    "Not looked at: the answers: no attempt of the last steps has one.",
    "Not looked at: answers that were cut off: no answer of the last steps has a finish reason.",
    "Not looked at: metrics: no attempt has one.",
    "Not looked at: loss, gradients, entropy and KL: no job reported them.",
    "Not looked at: how old the policy was, prompts that repeat, and held-out tasks against those that were trained on.",
  ]);
  // It holds at steps 5 to 9, because the last three steps are looked at, and ends at the third step after them.
  expect(await ask("rose-again")).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^ended reward fell, step 5 to \d+: /),
  });
  const { data: runs } = await server.control.runs.list({});
  expect(Object.fromEntries(runs.map((one) => [one.name, one.marks]))).toEqual({
    fell: 1,
    "rose-again": 0,
    steady: 0,
    young: 0,
    empty: 0,
  });
  expect(await ask("steady")).toMatchObject({ code: 0, output: expect.stringMatching(/^0 open\. Looked at 10 steps/) });
  expect(await ask("young")).toMatchObject({ code: 0, output: expect.stringContaining("fewer than four steps") });
  expect(await ask("empty")).toMatchObject({ code: 0, output: expect.stringMatching(/^0 open\. Looked at 0 steps/) });
  expect(await ask("gone")).toMatchObject({ code: 2, said: expect.stringContaining("has no model gone") });
  expect(await ask()).toMatchObject({ code: 2, said: expect.stringContaining("Name one run.") });
});

it("prunes logs and trainer logs of an entity by age, and keeps what was measured", async () => {
  const data = temporaryFolder();
  const events: ServerEvent[] = [];
  const command = ["/bin/sh", "-c", `echo note >&2; ${quickTrainer()[2]}`] as const;
  const notice = (_: string, event?: ServerEvent) => event && events.push(event);
  const server = makeServer({ data, trainer: { command }, notice });
  await server.listen({ port: 0 });
  const made = await Promise.all(
    ["team-0", "team-1"].map(async (entity) => {
      const { training } = server.clients(entity);
      const { id } = await training.models.create(modelOf("n"));
      await training.models.log(id, logOf("old"));
      const job = await training.trainingJobs.createRl({
        model_id: id,
        trajectory_groups: logOf("x").trajectory_groups,
      });
      await ended(training, job.id);
      return { id, training, job };
    }),
  );
  const [mine, other] = made;
  if (mine === undefined || other === undefined) throw new Error("Two entities were made.");
  server.setClock(new Date(Date.now() + 100 * 86_400_000));
  await mine.training.models.log(mine.id, logOf("new"));
  const [checkpoints, curve] = [
    (await mine.training.models.checkpoints.list(mine.id)).data,
    await shown(server.connect("local"), "/runs/{run_id}/curve", { run_id: mine.id }, { split: "s" }),
  ];
  const args = ["--data", data, "--logs", "90d", "--trainer-logs", "30d"];
  const count = async ({ id }: { id: string }) => (await server.control.logs.list({ model_id: id })).data.length;
  const dry = await run("prune", ...args, "--dry-run");
  expect(dry.output).toMatch(/^entity .*\nteam-0 +1 +\d+ +1 +5\nteam-1 +1 +\d+ +1 +5\nNothing was deleted/);
  expect([await count(mine), await count(other)]).toEqual([2, 1]);
  expect((await run("prune", ...args, "--entity", "team-0")).output).toMatch(/^entity .*\nteam-0 +1 +\d+ +1 +5$/);
  expect([await count(mine), await count(other)]).toEqual([1, 1]);
  expect(events).toMatchObject([
    { event: "logs.pruned", key_id: "control", entity: "team-0", logs: 1, trainer_logs: 1 },
  ]);
  expect((await mine.training.models.checkpoints.list(mine.id)).data).toEqual(checkpoints);
  expect(await shown(server.connect("local"), "/runs/{run_id}/curve", { run_id: mine.id }, { split: "s" })).toEqual(
    curve,
  );
  expect(await mine.training.trainingJobs.get(mine.job.id)).toMatchObject({ status: "completed" });
  expect(
    (await allShown(server.connect("local"), "groups", mine.id)).filter(({ split }) => split === "s"),
  ).toHaveLength(1);
  await expect(server.control.state.prune({})).rejects.toMatchObject({ status: 422 });
  await server.end();
  // The folder of a server that does not run: its clock is that of the machine again.
  expect((await run("prune", "--data", data, "--logs", "0s", "--entity", "team-1")).output).toMatch(/\nteam-1 +1 /);
});

it("answers a repetition of a request that an earlier release stored", async () => {
  const data = temporaryFolder();
  const server = makeServer({ data });
  const headers = { "Idempotency-Key": "once" };
  const { training } = server.clients();
  const create = { ...modelOf("n"), return_existing: false };
  const model = await training.models.create(create, { headers });
  const log = await training.models.log(model.id, logOf("x"), { headers });
  const request = { model_id: model.id, trajectory_groups: logOf("x").trajectory_groups };
  const job = await training.trainingJobs.createRl(request, { headers });
  await server.end();
  // As the releases before 22 November wrote it: one digest of path and body, objects as sorted pairs.
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const);
    return { pairs: entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
  };
  const database = new NodeDatabase(join(data, "trainyard.sqlite"));
  for (const [operation, path, body] of [
    ["models.create", {}, create],
    ["models.log", { model_id: model.id }, logOf("x")],
    ["trainingJobs.createRl", {}, request],
  ] as const) {
    const hash = createHash("sha256")
      .update(JSON.stringify(sorted([path, body])))
      .digest("base64url");
    expect(database.run("update idempotency set hash = :hash where operation = :operation", { hash, operation })).toBe(
      1,
    );
  }
  database.close();
  const again = makeServer({ data });
  const later = again.clients().training;
  expect(await later.models.create(create, { headers })).toEqual(model);
  expect(await later.models.log(model.id, logOf("x"), { headers })).toEqual(log);
  expect((await later.trainingJobs.createRl(request, { headers })).id).toBe(job.id);
  await expect(later.models.log(model.id, logOf("y"), { headers })).rejects.toMatchObject({ status: 409 });
  expect((await again.control.logs.list({ model_id: model.id })).data).toHaveLength(1);
  await again.end();
});

it("starts jobs in fair order: the job of another entity after at most one more", async () => {
  const server = makeServer({ trainer: { command: quickTrainer(), jobs: 1 } });
  const [many, few] = [server.clients("team-0").training, server.clients("team-1").training];
  const create = async (training: typeof many, models: readonly string[]) =>
    (
      await training.trainingJobs.createRl({
        model_id: models[0] ?? "",
        trajectory_groups: logOf("x").trajectory_groups,
      })
    ).id;
  const modelIds = await Promise.all(Array.from({ length: 10 }, (_, at) => many.models.create(modelOf(`m${at}`))));
  const own = await few.models.create(modelOf("m"));
  const jobs: string[] = [];
  for (const { id } of [...modelIds, ...modelIds]) jobs.push(await create(many, [id]));
  const lone = await create(few, [own.id]);
  const waiting = (await Promise.all(jobs.map((id) => many.trainingJobs.get(id)))).filter(
    ({ status }) => status === "queued",
  );
  expect(waiting.length).toBeGreaterThan(1);
  const end = await ended(few, lone);
  for (const id of jobs) await ended(many, id);
  const starts = await Promise.all(
    waiting.map(async ({ id }) => (await many.trainingJobs.get(id)).training_start ?? ""),
  );
  // Of those that waited when it was created, at most one had started before.
  expect(starts.filter((start) => start < (end.training_start ?? "")).length).toBeLessThanOrEqual(1);
  // Jobs of one model keep their order.
  for (const [at, id] of jobs.slice(0, 10).entries()) {
    const [first, next] = await Promise.all([id, jobs[at + 10] ?? ""].map((one) => many.trainingJobs.get(one)));
    expect((first?.training_end ?? "") <= (next?.training_start ?? "")).toBe(true);
  }
  await server.end();
});

it.skipIf(!whole)(
  "releases the space of deleted models and of a reset, and keeps no request of a job whose model was deleted",
  async () => {
    const data = temporaryFolder();
    const file = join(data, "trainyard.sqlite");
    const server = makeServer({ data });
    const { training } = server.clients();
    const text = randomBytes(3_000_000).toString("base64");
    const ids: string[] = [];
    for (const name of ["a", "b"]) {
      const { id } = await training.models.create(modelOf(name));
      ids.push(id);
      await training.models.log(id, logOf(text));
      await training.trainingJobs.createRl({ model_id: id, trajectory_groups: logOf(text).trajectory_groups });
    }
    const sizeOf = async () => {
      const response = await send(server.connect("local"), "/metrics");
      const [, bytes] = /^trainyard_store_bytes (\d+)$/m.exec(await response.text()) ?? [];
      return Number(bytes);
    };
    const full = await sizeOf();
    expect(full).toBeGreaterThan(12_000_000);
    await training.models.delete(ids[0] ?? "");
    // About half of the data are the logs and the requests of the jobs.
    await until(async () => (await sizeOf()) < full * 0.6);
    await server.reset();
    await until(async () => (await sizeOf()) < 1_000_000);
    await server.end();
    expect(statSync(file).size).toBeLessThan(1_000_000);
  },
);

it.skipIf(!whole)("keeps a copy before a migration, and releases space afterwards", async () => {
  const data = temporaryFolder();
  const file = join(data, "trainyard.sqlite");
  const old = new NodeDatabase(file);
  old.exec("pragma auto_vacuum = none");
  migrate(old, migrations.slice(0, 2));
  old.run("insert into models(id, entity, project, name, base_model, created) values('m', 'team-0', 'p', 'n', 'b', 1)");
  old.run(
    "insert into jobs(id, entity, model_id, kind, status, request) values('j', 'team-0', 'gone', 'rl', 'failed', 'much')",
  );
  old.close();
  const server = makeServer({ data });
  // A request opens the data.
  await server
    .clients()
    .training.health.systemCheck()
    .catch(() => undefined);
  await server.end();
  const copy = new NodeDatabase(`${file}.v2`, true);
  expect(copy.get("select user_version from pragma_user_version")).toEqual({ user_version: 2 });
  expect(copy.get("select request from jobs")).toEqual({ request: "much" });
  copy.close();
  const now = new NodeDatabase(file, true);
  expect(now.get("select request, auto_vacuum from jobs, pragma_auto_vacuum")).toEqual({
    request: "{}",
    auto_vacuum: 2,
  });
  now.close();
  expect(existsSync(`${file}.v3`)).toBe(false);
});
