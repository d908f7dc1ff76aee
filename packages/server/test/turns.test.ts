import { expect, it } from "vitest";
import { readers } from "../src/handlers/readers.ts";
import { commands } from "../src/store/commands/index.ts";
import { storeInPieces } from "../src/store/in-pieces.ts";
import { diskFull, StorageFault } from "../src/store/storage-fault.ts";
import { openStore, type Store } from "../src/store/store.ts";
import { makeData } from "./console/underived-data.ts";
import { sharedServer, shown } from "./lib.ts";

const server = sharedServer();
/** Groups that are stored in several pieces. */
const many = Array.from({ length: 3000 }, (_, index) => ({
  trajectories: [{ reward: index, messages_and_choices: [] }],
}));

it("takes turns between entities", async () => {
  const store = openStore({ data: "memory", now: Date.now });
  const order: string[] = [];
  const list = (entity: string) => store.call("models.list", { entity }).then(() => order.push(entity));
  // The auxiliary service knows the entity by the project.
  const object = { objectId: "o", digest: "latest", withVal: false, withNames: false };
  const read = (entity: string) =>
    store.call("objects.read", { ...object, project: `${entity}/p` }).then(() => order.push(entity));
  await Promise.all([...["a", "a"].map(list), ...["a", "a"].map(read), ...["b", "c", "b"].map(read)]);
  expect(order).toEqual(["a", "b", "c", "a", "b", "a", "a"]);
  await store.close();
});

it("gives others their turns while a log or a job of many groups is stored", async () => {
  const [a, b] = [server.fresh(), server.fresh()];
  const [large, small] = [server.clients(a).training, server.clients(b).training];
  const names = { project: "p", name: "m", base_model: "demo/tiny" };
  const [ofA, ofB] = [await large.models.create(names), await small.models.create(names)];
  const order: string[] = [];
  const done = (what: string) => () => order.push(what);
  const one = { split: "s", trajectory_groups: [{ trajectories: [{ reward: 1 }] }] };
  await Promise.all([
    large.models.log(ofA.id, { split: "s", trajectory_groups: many }).then(done("large log")),
    small.models.log(ofB.id, one).then(done("small log")),
  ]);
  await Promise.all([
    large.trainingJobs.createRl({ model_id: ofA.id, trajectory_groups: many }).then(done("large job")),
    small.models.log(ofB.id, one).then(done("small log")),
  ]);
  expect(order).toEqual(["small log", "large log", "small log", "large job"]);
  const { groups } = await shown(server.connect("local"), "/runs/{run_id}", { run_id: ofA.id });
  expect(groups).toBe(many.length);
});

it("derives the rows of a log and a job that were stored in part, once", () => {
  const data = makeData();
  for (const id of ["whole", "part", "gone"]) {
    data.addModel(id);
    data.database.run("insert into checkpoints(id, model_id, step) values(:id, :id, 0)", { id });
  }
  const context = { database: data.database, now: 5 };
  const body = new TextEncoder().encode(JSON.stringify({ split: "s", trajectory_groups: many }));
  const { groups: pieces, ...read } = readers["models.log"]({ split: "s", trajectory_groups: many });
  const [first = "", second = ""] = pieces;
  expect(pieces.length).toBeGreaterThan(3);
  const start = (modelId: string, entity = "harbor") => {
    const input = { entity, modelId, ...read, body, groups: first, more: true };
    const log = commands["logs.add"](context, input);
    if (typeof log === "string" || log.rows === undefined) return expect.fail("The log was not stored.");
    const of = { ...log.rows, entity, modelId };
    return (groups: string, more: boolean) => commands["groups.add"](context, { ...of, groups, more });
  };
  const whole = start("whole");
  for (const [at, piece] of pieces.slice(1).entries()) expect(whole(piece, at < pieces.length - 2)).toBe(true);
  const gone = start("gone");
  commands["models.delete"](context, { entity: "harbor", id: "gone" });
  // Its number is that of a new log now.
  const part = start("part");
  expect([gone(second, true), part(second, true)]).toEqual([false, true]);
  data.derive();
  expect(part(second, true)).toBe(false);
  const {
    model_id,
    groups: trained,
    ...rows
  } = readers["trainingJobs.createRl"]({ model_id: "part", trajectory_groups: many });
  const request = new TextEncoder().encode(JSON.stringify({ trajectory_groups: many }));
  const job = {
    entity: "harbor",
    modelId: model_id,
    kind: "rl",
    request,
    groups: trained[0] ?? "",
    more: true,
  } as const;
  commands["jobs.create"](context, { ...job, ...rows });
  data.derive();
  for (const id of ["whole", "part"]) {
    const sums = "select groups, attempts, total, lo, hi from steps where model_id = :id";
    const count =
      "select count(*) as rows, count(distinct print) as prints, sum(flags & 1) as trained from groups where model_id = :id";
    const total = (many.length * (many.length - 1)) / 2;
    expect(data.database.all(sums, { id })).toEqual([{ groups: 3000, attempts: 3000, total, lo: 0, hi: 2999 }]);
    expect(data.database.all(count, { id })).toMatchObject([{ rows: 3000, prints: 3000 }]);
  }
  const trainedRows = data.database.get("select count(job) as trained from groups where model_id = 'part'");
  expect(trainedRows).toEqual({ trained: 3000 });
});

it("answers a log whose further rows find no space, because it is stored", async () => {
  const store = openStore({ data: "memory", now: Date.now });
  const names = { entity: "a", project: "p", name: "m", baseModel: "demo/tiny", returnExisting: false };
  const model = await store.call("models.create", names);
  if (typeof model === "string") throw new Error(model);
  const { groups, ...read } = readers["models.log"]({ split: "s", trajectory_groups: many });
  const body = new TextEncoder().encode(JSON.stringify({ split: "s", trajectory_groups: many }));
  const of = { entity: "a", modelId: model.id };
  let pieces = 0;
  const full: Store = {
    ...store,
    call: (name, input, buffers) => {
      if (name === "groups.add" && ++pieces > 1) return Promise.reject(new StorageFault(diskFull));
      return store.call(name, input, buffers);
    },
  };
  const start = (first: { groups: string; more: boolean }) => full.call("logs.add", { ...of, ...read, body, ...first });
  expect(await storeInPieces(full, of, groups, start)).toMatchObject({ step: 0 });
  expect([pieces, groups.length]).toEqual([2, expect.toSatisfy((count: number) => count > 3)]);
  await store.call("rows.derive", { budget: Number.MAX_SAFE_INTEGER });
  expect(await store.read("runs.get", { id: model.id })).toMatchObject({ groups: many.length });
  await store.close();
});

it("writes the metrics of a log that it has alone", () => {
  const data = makeData();
  const model = { entity: "harbor", project: "p", name: "m", baseModel: "demo/tiny", returnExisting: false };
  const context = { database: data.database, now: 5 };
  const created = commands["models.create"](context, model);
  const modelId = typeof created === "string" ? created : created.id;
  const empty = { entity: "harbor", split: "s", body: new Uint8Array(), groups: "[]", more: false, ignored: [] };
  const log = (metrics: Record<string, number>) => commands["logs.add"](context, { ...empty, modelId, metrics });
  log(Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`s/m${index}`, index])));
  data.database.exec(`create temp table written(name text);
    create temp trigger changed after update on metrics begin insert into written values(new.name); end;
    create temp trigger added after insert on metrics begin insert into written values(new.name); end;`);
  log({ "s/m3": 0.5, "s/new": 1 });
  expect(data.database.all("select name from written")).toEqual([{ name: '"s/m3"' }, { name: '"s/new"' }]);
});
