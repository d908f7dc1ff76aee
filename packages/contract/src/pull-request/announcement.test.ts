import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { announce } from "./announcement.ts";

const fixture = join(import.meta.dirname, "../../../codegen/fixtures/library");
const root = mkdtempSync(join(tmpdir(), "trainyard-announcement-"));

function git(...args: string[]): void {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...identity, ...args], { cwd: root, stdio: "pipe" });
}

function edit(file: string, before: string, now: string): void {
  const path = join(root, "openapi/atlas", file);
  const text = readFileSync(path, "utf8");
  if (!text.includes(before)) throw new Error(`${file} does not hold: ${before}`);
  writeFileSync(path, text.replace(before, now));
}

beforeAll(() => {
  cpSync(fixture, root, { recursive: true });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "The documents");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("compares once, and says it for the log, for the comment, and for the workflow", async () => {
  const before = await announce(root, "main");
  expect(before).toMatchObject({ refused: false, markdown: expect.stringContaining("Nothing changed.") });
  edit("paths/hours-get.yaml", "x-resend: always", "x-resend: never");
  const said = await announce(root, "main");
  expect(said.refused).toBe(true);
  expect(said.log).toMatch(/^::error file=openapi\/atlas\/paths\/hours-get\.yaml,line=\d+,title=Breaking/m);
  expect(said.markdown).toMatch(/^## Contract\n\nCompared with `main`/);
  expect(said.markdown).toContain("**breaking**");
});

it("refuses documents that are broken, with the place and the cure", async () => {
  edit("paths/hours-get.yaml", "OpeningHours.yaml", "OpeningDays.yaml");
  const said = await announce(root, "main");
  expect(said.refused).toBe(true);
  expect(said.log).toMatch(
    /^::error file=openapi\/atlas\/paths\/hours-get\.yaml,line=\d+,title=Broken document::The \$ref/m,
  );
  expect(said.markdown).toMatch(/cannot be compared\.\n\n```\nopenapi\/atlas\/paths\/hours-get\.yaml:\d+:\d+\n/);
  expect(said.markdown).toContain("Create ");
});

it("refuses a branch that is not there", async () => {
  const said = await announce(root, "origin/nowhere");
  expect(said).toMatchObject({ refused: true, markdown: expect.stringContaining("origin/nowhere") });
});
