/** @module-tag long */
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { MetFaults } from "@trainyard/testing";
import { afterAll, expect, it } from "vitest";
import { createServer, type ServerOptions } from "../src/index.ts";
import { NodeDatabase } from "../src/store/node-database.ts";
import { storageSentence } from "../src/store/storage-fault.ts";
import { temporaryFolder } from "./folders.ts";
import { makeServer, shown } from "./lib.ts";
import { canMount, fillDisk, smallDisk } from "./mounts.ts";
import { whole } from "./whole.ts";

const model = { project: "p", name: "n", base_model: "demo/tiny" };
const logOf = (text: string) => ({
  split: "val",
  trajectory_groups: [{ trajectories: [{ reward: 1, logs: [text] }] }],
});

const faults = new MetFaults("full disk", "damaged file", "unclean end", "reason not to start", "read-only disk");
// Without the right to mount, those of a disk cannot happen.
afterAll(() => {
  if (whole && canMount) faults.tell();
});

it.skipIf(!canMount)("stores neither a log nor its rows on a full disk, and both once it has space", async () => {
  const { folder } = smallDisk(6144);
  const filler = join(folder, "filler");
  writeFileSync(filler, Buffer.alloc(3_000_000));
  const server = makeServer({ data: join(folder, "data") });
  const { training } = server.clients();
  const { id } = await training.models.create(model);
  const [local, ofRun] = [server.connect("local"), { run_id: id }];
  fillDisk(folder);
  // It is compressed, so its rows need more room than the log.
  const trajectories = Array.from({ length: 1000 }, () => ({ reward: 1, logs: ["again"] }));
  const large = { split: "val", trajectory_groups: [{ trajectories }] };
  await expect(training.models.log(id, large)).rejects.toMatchObject({ status: 503 });
  faults.met("full disk");
  expect((await shown(local, "/runs/{run_id}", ofRun)).run.rollouts).toBe(0);
  expect((await server.control.logs.list({ model_id: id })).data).toEqual([]);
  rmSync(filler);
  await training.models.log(id, large);
  expect((await shown(local, "/runs/{run_id}", ofRun)).run.rollouts).toBe(1000);
  const lists = ["curve", "marks", "rollouts", "jobs"] as const;
  await Promise.all(lists.map((list) => shown(local, `/runs/{run_id}/${list}`, ofRun)));
  await server.end();
});

it("recognizes SQLite's storage errors, and no others", () => {
  const file = join(temporaryFolder(), "a.sqlite");
  const database = new NodeDatabase(file);
  database.exec("create table a(x)");
  const sentenceOf = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return storageSentence(error);
    }
  };
  database.exec("pragma max_page_count = 8");
  expect(sentenceOf(() => database.run("insert into a values(zeroblob(100000))"))).toContain("is full");
  expect(sentenceOf(() => database.run("insert into b values(1)"))).toBeUndefined();
  const reader = new NodeDatabase(file, true);
  expect(sentenceOf(() => reader.run("insert into a values(1)"))).toContain("is read-only");
  reader.close();
  database.close();
});

/** Starts a server, and returns why it fails. */
async function startOf(options: ServerOptions, host?: string): Promise<string> {
  const errors: unknown[] = [];
  try {
    const server = createServer({ report: (error) => errors.push(error), notice: () => undefined, ...options });
    await server.listen({ port: 0, ...(host && { host }) }).finally(() => server.close());
  } catch (error) {
    expect(errors).toEqual([]);
    return error instanceof Error ? error.message : "";
  }
  return "started";
}

async function fill(data: string): Promise<string> {
  const server = makeServer({ data });
  const { training } = server.clients();
  const { id } = await training.models.create(model);
  for (let index = 0; index < 20; index++) await training.models.log(id, logOf(randomBytes(3000).toString("hex")));
  await server.end();
  return join(data, "trainyard.sqlite");
}

/** Overwrites pages in the middle of a file. */
function damage(file: string): void {
  const handle = openSync(file, "r+");
  const pages = Math.floor(statSync(file).size / 8192);
  for (const page of [3, Math.floor(pages / 2), pages - 1]) writeSync(handle, randomBytes(8192), 0, 8192, page * 8192);
  closeSync(handle);
}

it("rejects a damaged file at each start, and serves an intact one", async () => {
  const data = temporaryFolder();
  const file = await fill(data);
  expect(existsSync(`${file}.closed`)).toBe(true);
  if (whole) expect(await startOf({ data })).toBe("started");
  damage(file);
  for (let time = 0; time < (whole ? 2 : 1); time++) {
    const message = await startOf({ data });
    expect(message).toContain(`${file} is damaged`);
    expect(message).toMatch(/Restore a backup, or name another folder/);
    faults.met("damaged file");
  }
});

it.skipIf(!whole)("checks a file that was not closed cleanly, and says so", async () => {
  const data = temporaryFolder();
  const file = await fill(data);
  rmSync(`${file}.closed`);
  const notices: string[] = [];
  const server = makeServer({ data, notice: (sentence) => notices.push(sentence) });
  expect(await server.clients().training.health.check()).toEqual({ status: "ok" });
  await server.end();
  expect(notices).toEqual([`The data file ${file} was not closed cleanly. It is checked before the server starts.`]);
  faults.met("unclean end");
});

const startFaults: [string, (folder: string) => [ServerOptions, string?], RegExp][] = [
  [
    "data that are no database",
    (folder) => {
      writeFileSync(join(folder, "trainyard.sqlite"), "not a database".repeat(1000));
      return [{ data: folder }];
    },
    /trainyard\.sqlite is not a Trainyard data file, or it is damaged .* Restore a backup/,
  ],
  [
    "a file where the data folder should be",
    (folder) => {
      writeFileSync(join(folder, "file"), "");
      return [{ data: join(folder, "file") }];
    },
    /file is a file, but a folder is required\. Move the file away, or choose another path\./,
  ],
  [
    "a file above the data folder",
    (folder) => {
      writeFileSync(join(folder, "file"), "");
      return [{ data: join(folder, "file/below") }];
    },
    /file.* is a file, but a folder is required/,
  ],
  ["an address of another machine", () => [{}, "203.0.113.7"], /This machine has no address 203\.0\.113\.7/],
  [
    "data of a newer release",
    (folder) => {
      const database = new NodeDatabase(join(folder, "trainyard.sqlite"));
      database.exec("pragma user_version = 99");
      database.close();
      return [{ data: folder }];
    },
    /The data has schema version 99, but this release supports versions up to \d+\. Use the newer release, or choose another folder\./,
  ],
];

it.skipIf(!whole).each(startFaults)("reports why it does not start: %s", async (_, make, expected) => {
  const [options, host] = make(temporaryFolder());
  const message = await startOf(options, host);
  expect(message).toMatch(expected);
  expect(message).not.toMatch(/\n|^\s+at /);
  faults.met("reason not to start");
});

it.skipIf(!canMount || !whole)("reports a read-only folder as such, not as one in use", async () => {
  const disk = smallDisk(3000);
  const data = join(disk.folder, "data");
  await fill(data);
  disk.makeReadOnly();
  expect(await startOf({ data })).toMatch(/data.* (cannot be (written|opened)|is on a read-only file system)/);
  faults.met("read-only disk");
});
