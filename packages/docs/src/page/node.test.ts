import * as real from "node:fs/promises";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import * as ours from "./node.ts";

const folder = mkdtempSync(join(tmpdir(), "trainyard-page-"));
afterAll(() => real.rm(folder, { recursive: true, force: true }));

// The file operations of the server and the tiny model, on a disk and in memory.
describe.each([
  ["on a disk", real],
  ["in memory", ours],
])("files %s", (_, fs) => {
  const at = (name: string) => join(folder, name);

  it("are written, listed, renamed with their folder, and deleted", async () => {
    await fs.mkdir(at("models/a/step1"), { recursive: true });
    await fs.writeFile(at("models/a/step1/one"), "1");
    await fs.writeFile(at("models/a/two"), new TextEncoder().encode("22"));
    expect((await fs.readdir(at("models/a"))).toSorted()).toEqual(["step1", "two"]);
    expect(await fs.readFile(at("models/a/step1/one"), "utf8")).toBe("1");
    expect((await fs.stat(at("models/a/two"))).size).toBe(2);
    await fs.rename(at("models/a"), at("models/b"));
    expect(await fs.readFile(at("models/b/step1/one"), "utf8")).toBe("1");
    await fs.rm(at("models/b/step1"), { recursive: true, force: true });
    expect(await fs.readdir(at("models/b"))).toEqual(["two"]);
    await fs.rm(at("models"), { recursive: true, force: true });
  });

  it("that do not exist fail with ENOENT", async () => {
    // One after the other, because a rejection without a handler would end the run.
    for (const read of [fs.readFile, fs.readdir, fs.stat]) {
      await expect(read(at("nowhere"))).rejects.toMatchObject({ code: "ENOENT" });
    }
    await fs.rm(at("nowhere"), { force: true });
  });
});
