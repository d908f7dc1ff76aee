import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMisuse } from "@trainyard/terminal/command";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { run } from "../src/files.ts";

const folder = mkdtempSync(join(tmpdir(), "trainyard-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shop = (version: string, type: string, more = ""): string => `openapi: 3.1.0
info: { title: Shop, version: ${JSON.stringify(version)} }
paths:
  /orders:
    get:
      operationId: listOrders
      responses:
        "200":
          description: d
          content: { application/json: { schema: { type: object, properties: { total: { type: ${type} } } } } }
${more}`;
const deletion = `    delete:
      operationId: deleteOrders
      responses: { "204": { description: d } }
`;

/** Runs the command in a folder of another program, and returns what it prints and its exit code. */
async function check(files: Readonly<Record<string, string>>, ...args: string[]) {
  const cwd = mkdtempSync(join(folder, "program-"));
  const printed = { out: "", err: "" };
  const before = process.exitCode;
  const spies = [
    vi.spyOn(process, "cwd").mockReturnValue(cwd),
    vi.spyOn(console, "log").mockImplementation((text) => void (printed.out += `${text}\n`)),
    vi.spyOn(console, "error").mockImplementation((text) => void (printed.err += `${text}\n`)),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = before;
  });
  write(cwd, files);
  try {
    await run(args.map((one) => (one.includes(":") ? one : one.replace(/^(?=\w+\.yaml)/, `${cwd}/`))));
  } catch (error) {
    if (!isMisuse(error)) throw error;
    // What `trainyard` prints, with its exit code.
    return { ...printed, err: `${printed.err}${error.message}\n`, code: 2 };
  }
  return { ...printed, code: process.exitCode };
}

function write(cwd: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, name, ".."), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
}

it.each([
  ["nothing changed", shop("1.0.0", "integer"), 0],
  ["only words changed", shop("1.0.0", "integer").replace("description: d", "description: e"), 0],
  ["only a key of others changed", `${shop("1.0.0", "integer")}x-vendor-note: new\n`, 0],
  ["a breaking change has no new version", shop("1.0.0", "string"), 1],
  ["a breaking change has a new minor version", shop("1.1.0", "string"), 1],
  ["a breaking change has a new major version", shop("2.0.0", "string"), 0],
  ["a version was lowered by hand", shop("0.9.0", "integer"), 1],
  ["an addition has no new version", shop("1.0.0", "integer", deletion), 1],
  ["an addition has a new minor version", shop("1.1.0", "integer", deletion), 0],
  ["several releases are between them", shop("4.2.0", "integer", deletion), 0],
  ["an addition has a version that is a date", shop("2026-11-04", "integer", deletion), 0],
  ["a breaking change has a version that is a date", shop("2026-11-04", "string"), 1],
])("exits with a code that says whether the version announces the changes: %s", async (_, now, code) => {
  const { err, ...result } = await check(
    { "old.yaml": shop("1.0.0", "integer"), "new.yaml": now },
    "old.yaml",
    "new.yaml",
  );
  expect({ err, code: result.code }).toEqual({ err: "", code });
});

const renamed = (version: string): string => shop(version, "integer").replace("listOrders", "findOrders");
const field = shop("1.0.0", "integer").replace("properties: {", "properties: { tax: { type: integer },");
const status = shop("1.0.0", "string, enum: [open]");
const source = "Code that is compiled with a generated client breaks; requests and responses do not.";
const wire = "Programs that exchange requests and responses break.";

it.each([
  ["wire", shop("1.0.0", "integer"), shop("1.0.0", "integer"), 0, "Nothing breaks. Exit code 0."],
  ["wire", shop("1.0.0", "integer"), shop("0.9.0", "integer"), 1, "Nothing breaks. Exit code 1: see each ✗ above."],
  ["wire", shop("1.0.0", "integer"), shop("1.0.0", "string"), 1, `${wire} Exit code 1: see each ✗ above.`],
  ["wire", shop("1.0.0", "integer"), shop("2.0.0", "string"), 0, `${wire} Exit code 0: the version announces it.`],
  ["wire", shop("1.0.0", "integer"), renamed("1.0.0"), 0, `${source} Exit code 0: only --fail-on source refuses it.`],
  ["source", shop("1.0.0", "integer"), renamed("1.0.0"), 1, `${source} Exit code 1: see each ✗ above.`],
  ["source", shop("1.0.0", "integer"), renamed("2.0.0"), 0, `${source} Exit code 0: the version announces it.`],
  ["wire", shop("1.0.0", "integer"), field, 0, "Nothing breaks. Exit code 0."],
  ["wire", status, shop("1.0.0", "string, enum: [open, sent]"), 0, "Nothing breaks. Exit code 0."],
])("says last who breaks, and what the exit code means: %s", async (mode, old, now, code, sentence) => {
  const result = await check({ "old.yaml": old, "new.yaml": now }, "old.yaml", "new.yaml", "--fail-on", mode);
  expect([result.code, result.out.trim().split("\n").at(-1)]).toEqual([code, sentence]);
});

it.each([
  ["property", shop("1.0.0", "integer"), field],
  ["value", status, shop("1.0.0", "string, enum: [open, sent]")],
])("warns of a new %s in an answer", async (_, old, now) => {
  const { out } = await check({ "old.yaml": old, "new.yaml": now }, "old.yaml", "new.yaml");
  expect(out).toMatch(/^ {2}warning .*was added\./m);
});

it("shows a change of all paths as one, and a removal at its line in the older document", async () => {
  const paths = (prefix: string, ids: string) =>
    `openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths:\n${Array.from({ length: 50 }, (_, index) => {
      const id = ids === "" ? "" : `operationId: ${ids}${index}, `;
      return `  ${prefix}/p${index}/{id}: { get: { ${id}responses: { "204": { description: d } } } }\n`;
    }).join("")}`;
  for (const ids of ["get", ""]) {
    const { out } = await check({ "old.yaml": paths("", ids), "new.yaml": paths("/v2", ids) }, "old.yaml", "new.yaml");
    expect(out.match(/^ {2}(?:breaking|additive) .*$/gm)).toEqual([
      expect.stringMatching(/: `\/v2` precedes its path now\. .* … and the same in 49 more operations$/),
    ]);
  }
  const files = { "old.yaml": shop("1.0.0", "integer", deletion), "new.yaml": shop("2.0.0", "integer") };
  const { out } = await check(files, "old.yaml", "new.yaml");
  expect(out).toMatch(/The operation was removed\. {2}\S*old\.yaml:11$/m);
});

it("says nothing of formats, which no comparison validates", async () => {
  const old = shop("1.0.0", "integer, format: int128");
  expect(await check({ "old.yaml": old, "new.yaml": old }, "old.yaml", "new.yaml")).toMatchObject({ err: "", code: 0 });
});

it("says what breaks, whom, and where", async () => {
  const files = { "old.yaml": shop("1.0.0", "integer"), "new.yaml": shop("1.0.0", "string") };
  const { out } = await check(files, "old.yaml", "new.yaml");
  expect(out).toMatch(/^Compared with \S+old\.yaml\n\nnew: 1 breaking change\n {2}breaking {2}/);
  expect(out).toContain("new.yaml:10");
  expect(out).toContain("so `info.version` has to be 2.0.0, and it is 1.0.0. Set it.");
  const { out: annotations } = await check(files, "old.yaml", "new.yaml", "--format", "github");
  expect(annotations).toMatch(/^::error file=.*new\.yaml,line=2,title=Wrong version::/);
});

it.each([
  [["old.yaml"], "Name two documents, the older one first"],
  [["old.yaml", "none.yaml"], "This file does not exist."],
  [["old.yaml", "broken.yaml"], "broken.yaml:1:1\n  This is not an OpenAPI document"],
  [["none:old.yaml", "old.yaml"], 'The revision "none" does not exist here.'],
  [["old.yaml", "old.yaml", "--format", "html"], 'The format "html" does not exist.'],
  [["old.yaml", "old.yaml", "--fail-on", "none"], '--fail-on cannot be "none". Choose wire or source.'],
])("exits with 2 if nothing can be compared: %j", async (args, message) => {
  const files = { "old.yaml": shop("1.0.0", "integer"), "broken.yaml": "a: 1\n" };
  expect(await check(files, ...args)).toEqual({ out: "", err: expect.stringContaining(message), code: 2 });
});

it("reads a revision of git, of several files, below this folder or from the top", { tags: ["long"] }, async () => {
  const cwd = mkdtempSync(join(folder, "repository-"));
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
  const git = (...args: string[]) => execFileSync("git", [...identity, ...args], { cwd, stdio: "pipe" });
  const several = shop("1.0.0", "integer").replace("{ type: integer }", "{ $ref: ../common/Total.yaml }");
  write(cwd, { "api/shop/openapi.yaml": several, "api/common/Total.yaml": "type: integer\n" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "The document");
  write(cwd, { "api/common/Total.yaml": "type: string\n" });
  for (const [at, old, now] of [
    ["", "main:api/shop/openapi.yaml", "api/shop/openapi.yaml"],
    ["api", "main:shop/openapi.yaml", "shop/openapi.yaml"],
    ["api", "HEAD:api/shop/openapi.yaml", "shop/openapi.yaml"],
  ] as const) {
    const here = vi.spyOn(process, "cwd").mockReturnValue(join(cwd, at));
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    await run([old, now]);
    expect({ code: process.exitCode, text: log.mock.calls.join("\n") }).toEqual({
      code: 1,
      text: expect.stringMatching(/^ {2}breaking .*common\/Total\.yaml:1$/m),
    });
    for (const spy of [here, log]) spy.mockRestore();
    process.exitCode = 0;
  }
});
