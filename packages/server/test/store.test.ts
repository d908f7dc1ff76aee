import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createServer } from "../src/index.ts";
import { NodeDatabase } from "../src/store/node-database.ts";
import { migrate, migrations } from "../src/store/migrations.ts";
import { temporaryFolder } from "./folders.ts";
import { makeServer, until } from "./lib.ts";

it("stores everything in its folder", async () => {
  const data = join(temporaryFolder(), "deep");
  let server = makeServer({ data });
  const model = await server.clients().training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  await server
    .clients()
    .training.models.log(model.id, { split: "s", trajectory_groups: [{ trajectories: [{ reward: 2 }] }] });
  await server.end();
  server = makeServer({ data });
  const [checkpoint] = (await server.clients().training.models.checkpoints.list(model.id)).data;
  expect(checkpoint?.metrics).toMatchObject({ "s/reward": 2 });
  await server.end();
});

it("has one owner, and names it", async () => {
  const data = temporaryFolder();
  const first = makeServer({ data });
  const url = await first.listen({ port: 0 });
  expect(() => createServer({ data })).toThrow(
    `is in use by process ${process.pid} at ${url}. Stop it, or choose another folder.`,
  );
  await first.end();
  const second = makeServer({ data });
  await second.end();
  expect(existsSync(join(data, "server.json"))).toBe(false);
});

it.skipIf(process.platform === "win32")(
  "removes the folder that it made if it cannot start, and keeps one that was there",
  () => {
    const folder = temporaryFolder();
    const data = join(folder, "new");
    const start = (at: string) => () => createServer({ data: at, backend: { url: "no address" } });
    expect(start(data)).toThrow("must be of http or https");
    expect(existsSync(data)).toBe(false);
    expect(start(folder)).toThrow("must be of http or https");
    expect(existsSync(folder)).toBe(true);
  },
);

it("creates one key at the first start, readable only by its owner", async () => {
  const data = temporaryFolder();
  const first = createServer({ data });
  expect(first.hasNewKeys).toBe(true);
  expect(first.keys).toEqual([{ key: expect.stringMatching(/^ty_.{32}$/), entity: "local" }]);
  if (process.platform !== "win32") expect(statSync(join(data, "keys.json")).mode & 0o077).toBe(0);
  await first.close();
  const second = createServer({ data });
  expect([second.hasNewKeys, second.keys]).toEqual([false, first.keys]);
  await second.close();
  writeFileSync(join(data, "keys.json"), "[{}]");
  // A failed start releases the folder, so a second one fails for the same reason.
  for (let time = 0; time < 2; time++) expect(() => createServer({ data })).toThrow("has an invalid entry");
});

it.each([
  [[], "at least one key"],
  [[{ key: "", entity: "a" }], "is invalid"],
  [[{ key: "a", entity: "x/y" }], "cannot be an entity"],
  [
    [
      { key: "a", entity: "x" },
      { key: "a", entity: "y" },
    ],
    "the same key",
  ],
])("rejects the keys %j", (keys, message) => {
  expect(() => createServer({ keys })).toThrow(message);
});

it("applies migrations once, in order, all or none", () => {
  const file = join(temporaryFolder(), "a.sqlite");
  const database = new NodeDatabase(file);
  const steps = ["create table a(x)", "insert into a values(1)"];
  migrate(database, steps.slice(0, 1));
  migrate(database, steps);
  migrate(database, steps);
  expect(database.all("select x from a")).toEqual([{ x: 1 }]);
  expect(() => migrate(database, [...steps, "create table b(x)", "no sql"])).toThrow("syntax error");
  expect(database.all("select name from sqlite_master where name = 'b'")).toEqual([]);
  expect(() => migrate(database, steps.slice(0, 1))).toThrow("version 2, but this release supports versions up to 1");
  database.close();
});

it("has no creation time for rows from before that column, and one for all newer rows", async () => {
  const data = temporaryFolder();
  const file = join(data, "trainyard.sqlite");
  const old = new NodeDatabase(file);
  migrate(old, migrations.slice(0, 1));
  old.exec(`insert into models(id, entity, project, name, base_model, created)
      values('m', 'team-0', 'p', 'old', 'demo/tiny', 1);
    insert into checkpoints(id, model_id, step) values('c', 'm', 0);
    insert into jobs(id, entity, model_id, kind, status, request) values('j', 'team-0', 'm', 'rl', 'failed', '{}');
    insert into events(id, job_id, type, data) values('e', 'j', 'training_failed', '{}')`);
  old.close();
  const server = makeServer({ data });
  const before = Date.now();
  const { models, trainingJobs } = server.clients().training;
  const model = await models.create({ project: "p", name: "new", base_model: "demo/tiny" });
  // Nothing trains here: the job fails, with an event.
  const { id } = await trainingJobs.createRl({ model_id: model.id, trajectory_groups: [] });
  await until(async () => (await trainingJobs.get(id)).status === "failed");
  await server.end();
  const database = new NodeDatabase(file, true);
  for (const [table, where] of [
    ["checkpoints", "id = 'c'"],
    ["jobs", "id = 'j'"],
    ["events", "id = 'e'"],
  ] as const) {
    expect(database.all(`select distinct created from ${table} where ${where}`)).toEqual([{ created: null }]);
    const times = database.all(`select created from ${table} where not ${where}`).map(({ created }) => Number(created));
    expect(times.length).toBeGreaterThan(0);
    for (const time of times) expect(time).toBeGreaterThanOrEqual(before);
  }
  database.close();
});

it("has the metrics of older checkpoints by any name, but those without a value", async () => {
  const data = temporaryFolder();
  const old = new NodeDatabase(join(data, "trainyard.sqlite"));
  migrate(old, migrations.slice(0, 7));
  const id = crypto.randomUUID();
  const names = [
    "reward",
    "val/reward",
    "7",
    "",
    "a\u0000b",
    "a\u0000c",
    "\ud800",
    "\udc00\ud800",
    '"',
    "\\",
    "é 🚂",
    "__proto__",
  ];
  const metrics = Object.fromEntries(names.map((name, index) => [name, index - 0.5]));
  const model = "values(:id, 'team-0', 'p', 'old', 'demo/tiny', 1)";
  old.run(`insert into models(id, entity, project, name, base_model, created) ${model}`, { id });
  // JSON has no word for an infinite number.
  old.run("insert into checkpoints(id, model_id, step, metrics) values(:id, :id, 0, :metrics)", {
    id,
    metrics: JSON.stringify({ ...metrics, infinite: Infinity }),
  });
  old.close();
  const server = makeServer({ data });
  const { training } = server.clients();
  const kept = async () => (await training.models.checkpoints.list(id)).data[0]?.metrics;
  expect(await kept()).toEqual(metrics);
  // A log replaces the value of the same name.
  await training.models.log(id, { split: "val", trajectory_groups: [{ trajectories: [{ reward: 9 }] }] });
  expect(await kept()).toMatchObject({ ...metrics, "val/reward": 9 });
  await server.end();
});

it("flushes each commit, and uses a write-ahead log", () => {
  const database = new NodeDatabase(join(temporaryFolder(), "a.sqlite"));
  expect(database.get("select synchronous, journal_mode from pragma_synchronous, pragma_journal_mode")).toEqual({
    synchronous: 2,
    journal_mode: "wal",
  });
  database.close();
});

it("writes no key and no body to files that others can read", async () => {
  const data = temporaryFolder();
  const server = makeServer({ data });
  await server.clients().training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  await server.end();
  expect(readFileSync(join(data, "trainyard.sqlite")).includes("key-of-team")).toBe(false);
});
