import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { preview } from "./preview.ts";

const fixture = join(import.meta.dirname, "../../../codegen/fixtures/library");
const root = mkdtempSync(join(tmpdir(), "trainyard-preview-"));
const out = join(root, "preview");

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

it("writes nothing where no page changes", async () => {
  edit("openapi.yaml", "openapi: 3.1.0\n", "# A remark of nobody's concern.\nopenapi: 3.1.0\n");
  expect(await preview(root, undefined, out)).toEqual([]);
  expect(existsSync(out)).toBe(false);
});

it("lists the pages that differ, and writes them so that they open from the folder", async () => {
  edit("paths/hours-get.yaml", "summary: ", "summary: All ");
  edit("schemas/Pin.yaml", "description: ", "description: Stuck in. ");
  edit("openapi.yaml", "    delete: { $ref: paths/maps-delete.yaml }\n", "    {}\n");
  const changed = await preview(root, "main", out);
  expect(changed.map(({ what, kind, label }) => `${what} ${kind} ${label}`)).toEqual(
    expect.arrayContaining(["changed operation hours.get", "changed schema Pin", "removed operation maps.delete"]),
  );
  expect(changed.map(({ label }) => label)).not.toContain("maps.create");
  expect(readFileSync(join(out, "reference/atlas/hours.get/index.html"), "utf8")).toMatch(/<h1>All /);
  const files = globSync("**/*.html", { cwd: out });
  expect(files.length).toBeGreaterThan(10);
  const links = files.flatMap((file) =>
    [...readFileSync(join(out, file), "utf8").matchAll(/<(?:a|link)\b[^>]* href="(?!data:)([^"#]+)/g)].map(
      ([, href = ""]) => join(out, dirname(file), href),
    ),
  );
  expect(links.filter((file) => !existsSync(file))).toEqual([]);
});
