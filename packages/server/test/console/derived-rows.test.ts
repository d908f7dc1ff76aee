import { zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { commands } from "../../src/store/commands/index.ts";
import { attempt, makeData } from "./underived-data.ts";

it("completes the rows of the version before, in pieces, after it was stopped too", () => {
  const data = makeData();
  data.addModel("m");
  const group = (text: string) => ({
    logs: ["of the group"],
    trajectories: [1, 0].map((reward) => ({
      ...attempt(reward, text, -0.5),
      initial_policy_version: 1,
      final_policy_version: 2,
      start_time: "2026-11-04T12:00:00Z",
      logs: ["a", "b"],
    })),
  });
  for (let step = 0; step < 4; step++) data.addLog("m", step, "train", [group(`logged ${step}`), { trajectories: [] }]);
  data.addJob("m", "job", [group("logged 0"), group("only trained")]);
  const read = () => {
    const page = data.ask("rollouts.list", { id: "m", sort: "step", limit: 50 });
    const groups = data.ask("groups.list", { id: "m", sort: "place", limit: 50 });
    return [page, groups, data.ask("runs.curve", { id: "m", split: "train" })];
  };
  const whole = read();
  const facts = { started_at: "2026-11-04T12:00:00.000Z", initial_policy: 1, final_policy: 2, log_lines: 2 };
  expect(whole[0]).toMatchObject({ data: Array.from({ length: 10 }, () => ({ attempt: facts })) });
  // As the migration leaves it.
  data.database.exec(
    `update groups set origins = null, log_lines = 0, answers = 0, nats = null, errors = null, lag = null;
     update jobs set groups = 2;
     insert into underived select 'log', seq, 1, 0 from logs; insert into underived select 'job', seq, 1, 0 from jobs`,
  );
  // Each piece is a transaction of its own: a server that is stopped between two of them continues with the next.
  const context = { database: data.database, now: 0 };
  for (let left = 5; left > 0; left--) expect(commands["rows.derive"](context, { budget: 0 }).left).toBe(left - 1);
  expect(read()).toEqual(whole);
});

it("forgets a deleted run, and reads reused row ids as the new rows", () => {
  const data = makeData();
  data.addModel("a");
  data.addLog("a", 0, "train", [{ trajectories: [attempt(1)] }]);
  const before = data.ask("runs.changes", { after: 0 });
  expect(before.runs).toEqual(["a"]);
  data.database.run("delete from models where id = 'a'");
  data.addModel("b");
  data.addLog("b", 3, "val", [{ trajectories: [attempt(0.5)] }]);
  expect(data.ask("runs.changes", { after: before.seq }).runs.toSorted()).toEqual(["a", "b"]);
  expect(() => data.ask("runs.get", { id: "a" })).toThrow("not-found");
  const curve = data.ask("runs.curve", { id: "b", split: "val" });
  expect(curve).toMatchObject({ step: [3], mean: [0.5] });
});

it("names a body that cannot be read, leaves it, and shows the rollouts of all other logs", () => {
  const data = makeData();
  data.addModel("m");
  data.addLog("m", 0, "train", [{ trajectories: [attempt(1)] }]);
  const whole = zstdCompressSync(Buffer.from("{}"));
  const damaged = [
    whole.subarray(0, -1),
    Buffer.from("{"),
    Buffer.from("{}"),
    Buffer.from('{"trajectory_groups":[null]}'),
  ];
  for (const body of damaged) data.addBody("m", 0, "train", body);
  data.addLog("m", 1, "train", [{ trajectories: [attempt(0)] }]);
  expect(data.derive(0)).toEqual(
    damaged.map((_, at) => expect.stringContaining(`The body of the log ${at + 2} of the model m cannot be read: `)),
  );
  expect(data.ask("runs.get", { id: "m" })).toMatchObject({ run: { rollouts: 2 } });
  const kept = data.database.all("select body from logs where seq between 2 and 5 order by seq");
  expect(kept.map(({ body }) => Buffer.from(body as Uint8Array))).toEqual(damaged.map((body) => Buffer.from(body)));
});
