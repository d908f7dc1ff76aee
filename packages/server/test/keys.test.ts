import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ServerEvent } from "../src/index.ts";
import { run } from "./commands.ts";
import { temporaryFolder } from "./folders.ts";
import { makeServer, send, until } from "./lib.ts";
import { canMount, fillDisk, smallDisk } from "./mounts.ts";

it("adds, lists and removes keys, and a running server applies them", { tags: ["long"] }, async () => {
  const data = temporaryFolder();
  const file = join(data, "elsewhere.json");
  writeFileSync(file, JSON.stringify([{ key: "old-key", entity: "old" }]));
  const events: ServerEvent[] = [];
  const server = makeServer({ data, keys: file, notice: (_, event) => event && events.push(event) });
  await server.listen({ port: 0 });
  const ask = (apiKey: string, path = "/v1/preview/models/x/checkpoints", init = {}) =>
    send({ ...server.connect("training"), apiKey }, path, init);
  const status = async (...args: Parameters<typeof ask>) => (await ask(...args)).status;
  // Without --keys, the command finds the file that the server reads.
  const second = await run("keys", "add", "quay", "--data", data);
  expect(second).toMatchObject({ code: 0, said: expect.stringContaining(`reads its keys from ${file}`) });
  const other = await run("keys", "add", "quay", "--data", data, "--keys", join(data, "other.json"));
  expect(other).toMatchObject({ code: 1, output: expect.stringContaining(`reads its keys from ${file}, not from `) });
  expect(existsSync(join(data, "other.json"))).toBe(false);
  const third = await run(
    "keys",
    "add",
    "harbor",
    "--data",
    data,
    "--name",
    "ci",
    "--scope",
    "read",
    "--expires",
    "2s",
  );
  await until(async () => (await status(third.output)) === 404);
  expect(await status("old-key")).toBe(404);
  const refused = await ask(third.output, "/v1/preview/models", { body: "{}" });
  expect([refused.status, (await refused.json()).detail]).toEqual([
    403,
    expect.stringContaining("needs the scope write"),
  ]);
  // The file has digests only of new keys.
  expect(readFileSync(file, "utf8")).not.toMatch(/ty_/);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o077).toBe(0);
  const rows = (await run("keys", "list", "--data", data)).output.split("\n").map((row) => row.split(/ {2,}/));
  expect(rows).toEqual([
    ["id", "name", "entity", "scopes", "expires"],
    [expect.any(String), "old", "read,write,admin", "never"],
    [expect.any(String), "quay", "read,write", "never"],
    [expect.any(String), "ci", "harbor", "read", expect.stringMatching(/^\d{4}-.*Z/)],
  ]);
  await until(async () => (await status(third.output)) === 401);
  expect((await (await ask(third.output)).json()).detail).toContain(`expired at ${rows[3]?.[4]?.split(" ")[0]}`);
  const id = rows[2]?.[0]?.trim() ?? "";
  expect(await run("keys", "remove", id, "--data", data)).toMatchObject({ output: "Removed 1 key of quay.", code: 0 });
  await until(async () => (await status(second.output)) === 401);
  // A file that is not a list of keys removes no keys, and neither does a missing one.
  for (const change of [() => writeFileSync(file, "["), () => rmSync(file)]) {
    const before = events.length;
    change();
    await until(async () => events.length > before);
    expect(await status("old-key")).toBe(404);
  }
  const who = { command: "keys", file };
  expect(events).toMatchObject([
    { event: "key.added", key_id: id, entity: "quay", scopes: ["read", "write"], ...who },
    { event: "key.added", entity: "harbor", name: "ci", ...who },
    { event: "key.expired", entity: "harbor" },
    { event: "key.removed", key_id: id, ...who },
    { event: "keys.refused", file },
    { event: "keys.refused", file },
  ]);
  await server.end();
});

it.each([
  [["keys"], "Name an action: add"],
  [["keys", "add", "a/b"], '"a/b" cannot be an entity'],
  [["keys", "add", "quay", "--scope", "reed"], "--scope must be read, write or admin, not reed. No key was added."],
  [["keys", "add", "quay", "--expires", "2020-01-01"], "--expires must be in the future, not 2020-01-01."],
  [["keys", "add", "quay", "--expires", "soon"], "--expires must be a time span such as 90d, or a date"],
  [["keys", "list", "--scope", "read"], "--scope belongs to: trainyard keys add"],
  [["keys", "remove", "harbor"], "Add another key before you remove this one."],
  [["keys", "remove", "ty_nobody"], "has the id ty_nobody or begins with it, and none belongs to an entity ty_nobody"],
  [["keys", "list", "--keys", "nowhere.json"], "nowhere.json does not exist."],
  [["backup"], "Name one folder to save to."],
  [["backup", "copy"], "There is no data file"],
  [["restore"], "Name the folder of one backup."],
  [
    ["restore", "nowhere", "--replace"],
    "manifest.json is missing, or it is not JSON. Name a folder that trainyard backup made.",
  ],
  [["restore", "nowhere"], "is not empty. Choose another folder, or move its content aside with --replace."],
  [["prune"], "Name an age with --logs or --trainer-logs, as in --logs 90d. Nothing was deleted."],
  [["prune", "--logs", "90"], "--logs must be an age, such as 90d, 12h or 2w, not 90."],
  [["prune", "--logs", "90d"], "There is no data file"],
])("reports what is wrong with %j", async (args, message) => {
  const data = temporaryFolder();
  await run("keys", "add", "harbor", "--data", data);
  const before = readFileSync(join(data, "keys.json"), "utf8");
  const { output, code } = await run(...args, "--data", data);
  expect([output, code]).toEqual([expect.stringContaining(message), 1]);
  expect(output).not.toMatch(/^ +at /m);
  expect([readdirSync(data), readFileSync(join(data, "keys.json"), "utf8")]).toEqual([["keys.json"], before]);
});

it.skipIf(!canMount)("leaves the keys as they are if the disk is full, and says so", async () => {
  const { folder } = smallDisk(64);
  const first = await run("keys", "add", "harbor", "--data", folder);
  const before = readFileSync(join(folder, "keys.json"), "utf8");
  fillDisk(folder);
  const { output, code } = await run("keys", "add", "quay", "--data", folder);
  expect([first.code, code]).toEqual([0, 1]);
  const file = join(folder, "keys.json");
  expect(output).toBe(
    `Error: The disk of ${file} is full. Free some space, or choose another path. ${file} is unchanged.`,
  );
  expect(readFileSync(file, "utf8")).toBe(before);
});
