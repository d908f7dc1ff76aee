import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as disk from "./disk.ts";
import { CheckpointFolders } from "./folders.ts";

const model = { id: "m", entity: "harbor", project: "p", name: "n", base_model: "b" };

it("creates folders for each attempt, and keeps the results of the completed one", async () => {
  const data = mkdtempSync(join(tmpdir(), "trainyard-folders-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const folders = new CheckpointFolders(data);
  // The first may still write: a killed server cannot stop its program.
  const [first, second] = [
    { jobId: "j", attempt: 1 },
    { jobId: "j", attempt: 2 },
  ];
  const [before, after] = [await folders.open(first, model.id, 1), await folders.open(second, model.id, 1)];
  writeFileSync(join(before.output, "weights"), "1");
  writeFileSync(after.dataFile, "{}");
  await folders.keep(second, model, 1);
  await folders.discard(second);
  const kept = folders.of("m", 1) ?? "";
  expect([existsSync(kept), existsSync(join(kept, "weights")), existsSync(after.dataFile)]).toEqual([
    true,
    false,
    false,
  ]);
  await folders.keep(first, model, 1);
  expect(existsSync(join(kept, "weights"))).toBe(true);
  expect(folders.of("m", 0)).toBeNull();
});

it("keeps no results whose folder was replaced by a link", async () => {
  const data = mkdtempSync(join(tmpdir(), "trainyard-folders-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  mkdirSync(join(data, "checkpoints"));
  mkdirSync(join(data, "others"));
  const folders = new CheckpointFolders(data, undefined, false, disk);
  const attempt = { jobId: "j", attempt: 1 };
  const { output } = await folders.open(attempt, model.id, 1);
  rmdirSync(output);
  symlinkSync(join(data, "others"), output);
  await expect(folders.keep(attempt, model, 1)).rejects.toThrow("The trainer replaced output.directory.");
  expect(existsSync(folders.of("m", 1) ?? "")).toBe(false);
});

it("creates a temporary folder only when it is needed, and deletes it", async () => {
  const folders = new CheckpointFolders("memory");
  folders.close();
  const { output } = await folders.open({ jobId: "j", attempt: 1 }, model.id, 1);
  expect(existsSync(output)).toBe(true);
  folders.close();
  expect(existsSync(output)).toBe(false);
});
