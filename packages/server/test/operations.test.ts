import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import * as backup from "../src/cli/backup.ts";
import * as keys from "../src/cli/keys.ts";
import { migrate, migrations } from "../src/store/migrations.ts";
import { NodeDatabase } from "../src/store/node-database.ts";
import { temporaryFolder } from "./folders.ts";
import { makeServer, send, until } from "./lib.ts";
import { whole } from "./whole.ts";

/** Runs a command in this process, and returns its output and exit code. */
async function run(...[name = "", ...args]: string[]): Promise<{ output: string; code: number }> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...parts) => void lines.push(parts.join(" ")));
  try {
    await new Map(Object.entries({ backup, keys })).get(name)?.run(args);
    return { output: lines.join("\n"), code: 0 };
  } catch (error) {
    return { output: String(error), code: 1 };
  } finally {
    log.mockRestore();
  }
}

it("adds, lists and removes keys, and a running server applies them", { tags: ["long"] }, async () => {
  const data = temporaryFolder();
  const file = join(data, "keys.json");
  const first = await run("keys", "add", "harbor", "--data", data);
  expect(first).toEqual({ output: expect.stringMatching(/^ty_.{32}$/), code: 0 });
  if (process.platform !== "win32") expect(statSync(file).mode & 0o077).toBe(0);
  const notices: string[] = [];
  const server = makeServer({ data, keys: file, notice: (sentence) => notices.push(sentence) });
  const status = async (apiKey: string) =>
    (await send({ ...server.connect("training"), apiKey }, "/v1/preview/models/x/checkpoints")).status;
  const second = await run("keys", "add", "quay", "--data", data);
  await until(async () => (await status(second.output)) === 404);
  const list = await run("keys", "list", "--data", data);
  expect(list.output).toBe(`${first.output.slice(0, 8)}…  harbor\n${second.output.slice(0, 8)}…  quay`);
  expect(await run("keys", "remove", first.output.slice(0, 12), "--data", data)).toEqual({
    output: "Removed 1 key of harbor.",
    code: 0,
  });
  await until(async () => (await status(first.output)) === 401);
  // A file that is not a list of keys removes no keys.
  writeFileSync(file, "[");
  await until(async () => notices.length > 0);
  expect(notices[0]).toMatch(/^The keys were not reloaded\. The file .*keys\.json is not valid JSON/);
  expect(await status(second.output)).toBe(404);
  await server.end();
});

it.skipIf(!whole).each([
  [["keys"], "Name an action: add"],
  [["keys", "add", "a/b"], '"a/b" cannot be an entity'],
  [["keys", "remove", "harbor"], "Add another key before you remove this one."],
  [["keys", "remove", "ty_nobody"], "starts with ty_nobody, and none belongs to an entity ty_nobody"],
  [["keys", "list", "--keys", "nowhere.json"], "nowhere.json does not exist."],
  [["backup"], "Name one file to copy the data to."],
  [["backup", "copy.sqlite"], "There is no data file"],
])("reports what is wrong with %j", async (args, message) => {
  const data = temporaryFolder();
  await run("keys", "add", "harbor", "--data", data);
  const { output, code } = await run(...args, "--data", data);
  expect([output, code]).toEqual([expect.stringContaining(message), 1]);
  expect(output).not.toMatch(/^ +at /m);
});

const modelOf = (name: string) => ({ project: "p", name, base_model: "demo/tiny" });
const logOf = (text: string) => ({
  split: "s",
  trajectory_groups: [{ trajectories: [{ reward: 1, logs: [text] }] }],
});

it("copies the data of one moment while they are being written", async () => {
  const data = temporaryFolder();
  const copy = join(temporaryFolder(), "copy.sqlite");
  const server = makeServer({ data });
  const { training } = server.clients();
  const { id } = await training.models.create(modelOf("n"));
  let acknowledged = 0;
  const over = new AbortController();
  const writing = (async () => {
    for (; !over.signal.aborted; acknowledged++)
      await training.models.log(id, logOf(randomBytes(2000).toString("hex")));
  })();
  await until(async () => acknowledged > 3);
  const before = acknowledged;
  const { output, code } = await run("backup", copy, "--data", data);
  over.abort();
  await writing;
  expect([output, code]).toEqual([
    expect.stringMatching(/Copied \d+ pages of .*trainyard\.sqlite to .*copy\.sqlite\.$/),
    0,
  ]);
  if (process.platform !== "win32") expect(statSync(copy).mode & 0o077).toBe(0);
  expect(await run("backup", copy, "--data", data)).toEqual({ output: expect.stringContaining("exists"), code: 1 });
  await server.end();
  if (!whole) return;
  // A server can use the copy as its data.
  const restored = temporaryFolder();
  writeFileSync(join(restored, "trainyard.sqlite"), readFileSync(copy));
  const again = makeServer({ data: restored });
  let logs = 0;
  for await (const _ of again.control.logs.list({ model_id: id, limit: 100 })) logs++;
  expect(logs).toBeGreaterThanOrEqual(before);
  expect(logs).toBeLessThanOrEqual(acknowledged);
  await again.end();
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
