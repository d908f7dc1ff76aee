/** @module-tag long */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { MetFaults } from "@trainyard/testing";
import { afterAll, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { until } from "./lib.ts";
import { canMount, fillDisk, smallDisk } from "./mounts.ts";
import { expectAll, logOf, messages, newModel, serve, statusOf, trainerArgs, type Served } from "./served.ts";

// Several servers start in a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

// Every fault ends with its cause. A part of a running server fails, what can go on goes on, and then everything works.

const faults = new MetFaults(
  "a full disk",
  "data that are away",
  "checkpoints that are away",
  "a trainer that is away",
  "a wrong key file",
  "a wrong clock",
  "a data file that is not there",
  "a damaged lock",
  "a damaged write-ahead log",
);
// Without the right to mount, a disk cannot be full.
afterAll(() => {
  if (canMount) faults.tell();
});

/** Writes a trainer in the language of the shell, which says that it began, does this, and says that it ended. */
function writeTrainer(program: string, work: string): void {
  const say = (type: string, data: object) => `echo '${JSON.stringify({ type, data })}'`;
  const script = [say("training_started", { num_sequences: 1 }), work, say("training_ended", {})];
  writeFileSync(program, ["#!/bin/sh", "job=$(cat)", ...script, ""].join("\n"), { mode: 0o755 });
}

/** Logs until the disk is full. Returns how many logs were acknowledged, by model. */
async function logUntilFull(served: Served, id: string): Promise<number> {
  for (let logs = 0; ; logs++) {
    const failure: unknown = await served.training.models.log(id, logOf(100_000)).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) continue;
    expect(failure).toMatchObject({ status: 503, retryAfterMs: 5000 });
    faults.met("a full disk");
    return logs;
  }
}

describe.skipIf(!canMount)("a full disk", () => {
  it("stops writes alone, and says so once at its beginning and at its end", async () => {
    const { folder, resize } = smallDisk(12 * 1024);
    const served = await serve(join(folder, "data"));
    const { id } = await newModel(served);
    const logs = await logUntilFull(served, id);
    const { training, inference, local, status } = served;
    expect(await statusOf(training.models.checkpoints.list(id))).toBe(200);
    expect(await status("/_local/runs")).toBe(200);
    expect(await statusOf(training.health.check())).toBe(200);
    expect(await statusOf(inference.chat.completions.create({ model: "demo/tiny", messages, max_tokens: 2 }))).toBe(
      200,
    );
    expect(await statusOf(training.health.systemCheck())).toBe(503);
    resize(64 * 1024);
    await expectAll(served);
    const said = (name: string) => served.log.filter(({ event }) => event === name);
    await until(async () => said("storage.recovered").length > 0);
    expect(["storage.failed", "storage.recovered"].map((name) => said(name).length)).toEqual([1, 1]);
    const kept = [];
    for await (const log of local.logs.list({ model_id: id, limit: 100 })) kept.push(log);
    expect(kept).toHaveLength(logs);
  });

  it("does not keep the console from working later", async () => {
    const { folder, resize } = smallDisk(6 * 1024);
    const served = await serve(join(folder, "data"));
    fillDisk(folder);
    await until(async () => [200, 503].includes(await served.status("/_local/runs")));
    resize(64 * 1024);
    await expectAll(served);
  });

  it("lets a model be deleted, and the server stop and start, which frees space", async () => {
    const { folder } = smallDisk(12 * 1024);
    const data = join(folder, "data");
    const served = await serve(data);
    const [{ id }, { id: other }] = [await newModel(served), await newModel(served)];
    await logUntilFull(served, id);
    await served.stop();
    fillDisk(folder);
    const next = await serve(data);
    expect(await statusOf(next.training.health.check())).toBe(200);
    expect(await statusOf(next.training.models.delete(id))).toBe(200);
    rmSync(join(folder, "rest"));
    await expectAll(next);
    expect(await statusOf(next.training.models.log(other, logOf(2_000_000)))).toBe(200);
  });

  it("lets a model be deleted while the server runs, and takes logs again in the space that this frees", async () => {
    const { folder } = smallDisk(12 * 1024);
    const served = await serve(join(folder, "data"));
    const [{ id }, { id: other }] = [await newModel(served), await newModel(served)];
    await logUntilFull(served, id);
    expect(await statusOf(served.training.models.delete(id))).toBe(200);
    await until(async () => (await statusOf(served.training.models.log(other, logOf(1_000_000)))) === 200);
    await expectAll(served);
  });

  it("that a trainer fills with its files costs its own job", async () => {
    const { folder } = smallDisk(12 * 1024);
    const program = join(temporaryFolder(), "filling.sh");
    // It fills the disk for models whose job says so.
    const work = `case $job in *fill-the-disk*)
  out=$(printf '%s' "$job" | sed 's/.*"output":{"step":[0-9]*,"directory":"\\([^"]*\\)".*/\\1/')
  head -c 100000000 /dev/zero > "$out/weights" || exit 3
esac`;
    writeTrainer(program, work);
    const served = await serve(join(folder, "data"), ["--trainer", program]);
    const { id: model_id } = await newModel(served);
    const trajectory_groups = [{ trajectories: [{ reward: 1 }], metadata: { what: "fill-the-disk" } }];
    const { id } = await served.training.trainingJobs.createRl({ model_id, trajectory_groups });
    const job = await until(async () => {
      const found = await served.training.trainingJobs.get(id);
      return found.training_end !== null && found;
    });
    expect(job).toMatchObject({ status: "failed", error_message: expect.stringContaining("No space left on device") });
    await expectAll(served);
  });
});

/** Makes writes of a process fail (EFBIG) beyond so many bytes of a file. Returns false if the system has no such limit. */
const limitFiles = (pid: number, bytes: number | "unlimited"): boolean =>
  spawnSync("prlimit", [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]).status === 0;

it.skipIf(!limitFiles(process.pid, "unlimited"))(
  "a limit of the size of files stops writes until it is lifted",
  async () => {
    const served = await serve(temporaryFolder());
    const { id } = await newModel(served);
    limitFiles(served.pid, 2_500_000);
    await logUntilFull(served, id);
    expect(await statusOf(served.training.health.check())).toBe(200);
    limitFiles(served.pid, "unlimited");
    await expectAll(served);
  },
);

it.each(["moved", "removed", "replaced"])("data that are %s stop writes, which are not acknowledged", async (how) => {
  const folder = temporaryFolder();
  const [data, away] = [join(folder, "data"), join(folder, "away")];
  const served = await serve(data);
  const { id } = await newModel(served);
  if (how === "removed") rmSync(data, { recursive: true });
  else renameSync(data, away);
  if (how === "replaced") mkdirSync(data);
  expect(await statusOf(newModel(served))).toBe(503);
  faults.met("data that are away");
  expect(await statusOf(served.training.models.log(id, logOf(100)))).toBe(503);
  const check: unknown = await served.training.health.systemCheck().catch((error: unknown) => error);
  const error = (what: string) => ({ error: `The server's ${what} was removed, moved or replaced.` });
  expect(check).toMatchObject({
    status: 503,
    body: { database: error("data"), gpu_queue: error("folder of checkpoints") },
  });
  if (how === "removed") return;
  if (how === "replaced") rmdirSync(data);
  renameSync(away, data);
  await expectAll(served);
  await served.stop();
  expect((await serve(data)).notices(/was not closed cleanly/)).toEqual([]);
});

it("a folder of checkpoints that is removed is a fault of the system check, until it is there again", async () => {
  const folder = temporaryFolder();
  const [checkpoints, away] = [join(folder, "checkpoints"), join(folder, "away")];
  const served = await serve(join(folder, "data"), [...trainerArgs, "--checkpoints", checkpoints]);
  await expectAll(served);
  renameSync(checkpoints, away);
  const check: unknown = await served.training.health.systemCheck().catch((error: unknown) => error);
  const error = "The server's folder of checkpoints was removed, moved or replaced.";
  expect(check).toMatchObject({ status: 503, body: { database: { success: true }, gpu_queue: { error } } });
  faults.met("checkpoints that are away");
  renameSync(away, checkpoints);
  await expectAll(served);
});

it("a trainer that is removed fails its jobs, until it is there again", async () => {
  const program = join(temporaryFolder(), "trainer.sh");
  writeTrainer(program, ":");
  const served = await serve(temporaryFolder(), ["--trainer", program]);
  await expectAll(served);
  rmSync(program);
  const check: unknown = await served.training.health.systemCheck().catch((error: unknown) => error);
  expect(check).toMatchObject({ status: 503, body: { gpu_queue: { error: `The trainer ${program} was not found.` } } });
  const { id: model_id } = await newModel(served);
  const { id } = await served.training.trainingJobs.createRl({
    model_id,
    trajectory_groups: [{ trajectories: [{ reward: 1 }] }],
  });
  await until(async () => (await served.training.trainingJobs.get(id)).status === "failed");
  expect((await served.training.trainingJobs.events.list(id)).data.at(-1)?.type).toBe("training_failed");
  faults.met("a trainer that is away");
  writeTrainer(program, ":");
  await expectAll(served);
});

it.each<[string, (file: string) => void]>([
  ["broken", (file) => writeFileSync(file, "[{")],
  ["emptied", (file) => truncateSync(file)],
  ["removed", (file) => rmSync(file)],
])("a key file that is %s leaves the earlier keys valid", async (_, spoil) => {
  const data = temporaryFolder();
  const served = await serve(data);
  const file = join(data, "keys.json");
  const good = readFileSync(file);
  spoil(file);
  await until(async () => served.notices(/were not reloaded/).length === 1);
  expect(served.notices(/were not reloaded/)[0]?.message).toContain(file);
  faults.met("a wrong key file");
  await expectAll(served);
  writeFileSync(file, JSON.stringify([...JSON.parse(String(good)), { key: "key-of-quay", entity: "quay" }]));
  await until(async () => {
    const response = await fetch(`${served.url}/v1/system-check`, { headers: { authorization: "Bearer key-of-quay" } });
    return response.status !== 401;
  });
  expect(served.notices(/were not reloaded/)).toHaveLength(1);
});

it.each([365, 400])("a clock that is set %i days ahead and back disturbs nothing", async (days) => {
  const served = await serve(temporaryFolder());
  await expectAll(served);
  const { now } = await served.local.clock.get();
  await served.local.clock.set({ now: new Date(Date.parse(now) + days * 86_400_000).toISOString() });
  expect(Date.parse((await served.local.clock.get()).now)).toBeGreaterThan(Date.parse(now) + 364 * 86_400_000);
  faults.met("a wrong clock");
  await expectAll(served);
  await served.local.clock.set({ now: null });
  await expectAll(served);
});

describe("at the next start", () => {
  /** A folder with data, and how its server ends. */
  async function used(how: "kill" | "stop"): Promise<{ data: string; file: string }> {
    const data = temporaryFolder();
    const served = await serve(data);
    await expectAll(served);
    await served[how]();
    return { data, file: join(data, "trainyard.sqlite") };
  }

  it.each<["kill" | "stop", string, (file: string) => void]>([
    ["stop", "emptied", (file) => truncateSync(file)],
    ["stop", "missing", (file) => rmSync(file)],
    ["kill", "emptied", (file) => truncateSync(file)],
    ["kill", "missing", (file) => rmSync(file)],
  ])("(after a %s) a data file that is %s is refused, with the cure", async (how, _, spoil) => {
    const { data, file } = await used(how);
    const backup = readFileSync(file);
    spoil(file);
    const refused = await serve(data);
    expect(refused.exitCode()).toBe(1);
    expect(refused.log).toHaveLength(1);
    faults.met("a data file that is not there");
    expect(refused.log[0]).toMatchObject({
      level: "error",
      message: expect.stringMatching(/trainyard\.sqlite is (empty|missing), but .* Restore a backup .*--data/),
    });
    writeFileSync(file, backup);
    await expectAll(await serve(data));
  });

  it("a damaged lock does not matter", async () => {
    const { data } = await used("stop");
    writeFileSync(join(data, "owner.lock"), randomBytes(5000));
    const served = await serve(data);
    await expectAll(served);
    const second = await serve(data);
    expect(second.log[0]?.message).toMatch(/is in use by process/);
    faults.met("a damaged lock");
    await expectAll(served);
  });

  it("a damaged write-ahead log is recovered up to the damage, and what is lost is counted", async () => {
    const data = temporaryFolder();
    const first = await serve(data);
    await expectAll(first);
    // The deletions of `expectAll` empty the write-ahead log.
    for (let models = 0; models < 20; models++) await newModel(first);
    await first.kill();
    const file = join(data, "trainyard.sqlite");
    const handle = openSync(`${file}-wal`, "r+");
    const frames = Math.floor((statSync(`${file}-wal`).size - 32) / 8216);
    const at = 32 + Math.floor(frames * 0.8) * 8216 + 5000;
    const byte = Buffer.alloc(1);
    readSync(handle, byte, 0, 1, at);
    writeSync(handle, Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, at);
    closeSync(handle);
    const served = await serve(data);
    // The log and the address, which `serve` waits for, come through pipes of their own.
    const [notice] = await until(async () => {
      const found = served.notices(/is damaged: recovered/);
      return found.length > 0 && found;
    });
    const [, recovered, all] =
      /recovered (\d+) of (\d+) frames; what came after them is lost\.$/.exec(notice?.message ?? "") ?? [];
    expect(Number(all)).toBe(frames);
    faults.met("a damaged write-ahead log");
    expect(Number(recovered)).toBeLessThanOrEqual(Math.floor(frames * 0.8));
    expect(Number(recovered)).toBeGreaterThan(0);
    await expectAll(served);
    // What a kill alone leaves is whole.
    await served.kill();
    expect((await serve(data)).notices(/is damaged/)).toEqual([]);
  });
});
