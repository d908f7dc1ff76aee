import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { WorkFolder } from "./work-folder.ts";

it("continues a log at the offset that an earlier version stored under another name", () => {
  const path = mkdtempSync(join(tmpdir(), "trainyard-work-folder-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const folder = new WorkFolder(path);
  expect(folder.logOffset).toBe(0);
  writeFileSync(join(path, "told"), "41");
  expect(folder.logOffset).toBe(41);
  folder.logOffset = 97;
  expect(folder.logOffset).toBe(97);
  expect(readFileSync(join(path, "log-offset"), "utf8")).toBe("97");
});
