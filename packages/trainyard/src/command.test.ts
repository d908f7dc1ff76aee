import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@trainyard/terminal/command";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { trainyard } from "./command.ts";
import { missingPeer } from "./peers.ts";
import { words } from "./words.ts";

/** What a command prints on standard output. */
async function printed(...args: string[]): Promise<string> {
  const parts: string[] = [];
  const code = process.exitCode;
  const log = vi.spyOn(console, "log").mockImplementation((text) => void parts.push(`${text}\n`));
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => parts.push(String(text)) > 0);
  onTestFinished(() => {
    for (const spy of [log, write]) spy.mockRestore();
    process.exitCode = code;
  });
  await trainyard(args);
  return parts.join("");
}

it.each([[[]], [["--help"]], [["-h"]], [["help"]]])("lists the commands, each in a line, for %j", async (args) => {
  const lines = (await printed(...args)).split("\n");
  const rows = lines.filter((line) => line.startsWith("  "));
  expect(rows.map((line) => line.trim().split(" ")[0])).toEqual(Object.keys(words));
  for (const row of rows) expect(row.length).toBeLessThan(100);
});

it.each(Object.keys(words))("prints the help of %s, which begins with its name", async (name) => {
  expect(await printed(name, "--help")).toMatch(new RegExp(`^trainyard ${name}[: ]`));
});

it.each([
  ["servr", "There is no command servr. Did you mean serve? `trainyard --help` lists the commands."],
  ["dance", "There is no command dance. `trainyard --help` lists the commands."],
  ["constructor", "There is no command constructor. `trainyard --help` lists the commands."],
])("says that there is no command %s", async (name, message) => {
  await expect(trainyard([name])).rejects.toThrow(new UsageError(message));
});

it("says which options a command has, if it does not have one", async () => {
  const message = "There is no option --prot.\nSee trainyard serve --help.";
  await expect(trainyard(["serve", "--prot", "4010"])).rejects.toThrow(new UsageError(message));
});

it("says which Node a command needs", async () => {
  vi.spyOn(process, "versions", "get").mockReturnValue({ ...process.versions, node: "22.1.0" });
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(trainyard(["serve", "--port", "0"])).rejects.toThrow(
    "trainyard serve needs Node 24 or newer; this is Node 22.1.0. With a newer one: npx -y -p node@24 -p trainyard trainyard serve --port 0",
  );
  expect(await printed("mock", "--help")).toContain("trainyard mock");
});

it("has its table in the README", () => {
  const text = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (.+?) +\| (\d+) +\|$/gm)].map(([, ...cells]) => cells);
  const engines = (owner: string): string => {
    const file = join(import.meta.dirname, "../..", owner.replace("@trainyard/", ""), "package.json");
    return JSON.parse(readFileSync(file, "utf8")).engines.node.replace(">=", "");
  };
  expect(rows).toEqual(Object.entries(words).map(([name, { does, owner }]) => [name, does, engines(owner)]));
});

it("loads no more for help than the help", { tags: ["long"] }, () => {
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`;
  const args = ["--conditions=@trainyard/source", `--import=data:text/javascript,${encodeURIComponent(hook)}`];
  const cli = join(import.meta.dirname, "cli.ts");
  const { stderr } = spawnSync(process.execPath, [...args, cli, "call", "--help"], { encoding: "utf8" });
  const files = stderr.split("\n").filter((url) => url.startsWith("file:"));
  expect(files.map((url) => url.replace(/^.*\/packages\//, ""))).toEqual([
    "trainyard/src/cli.ts",
    "terminal/src/command.ts",
    "trainyard/src/command.ts",
    "trainyard/src/words.ts",
    "live/package.json",
    "live/src/call/command.ts",
    "live/src/terminal.ts",
  ]);
});

describe("a package that is not installed", () => {
  it.each([
    ["ERR_MODULE_NOT_FOUND", "Cannot find package '@redocly/nothing'", undefined],
    [
      "MODULE_NOT_FOUND",
      "Cannot find module '@redocly/cli/bin/cli.js'\nRequire stack:",
      "`trainyard mock a.yaml` needs @redocly/cli. Install with: npm install --save-dev @redocly/cli@2",
    ],
    [
      "MODULE_NOT_FOUND",
      "Cannot find module '@trainyard/codegen/package.json'",
      "`trainyard mock a.yaml` needs @trainyard/codegen. Install with: npm install --save-dev @trainyard/codegen",
    ],
  ])("is named with the line that installs it: %s, %s", (code, message, fault) => {
    expect(missingPeer(Object.assign(new Error(message), { code }), "trainyard mock a.yaml")).toBe(fault);
  });

  /** The packages of the workspace that a package needs, with those that these need. */
  const read = (name: string): Record<string, Record<string, string> | undefined> =>
    JSON.parse(
      readFileSync(join(import.meta.dirname, "../..", name.replace("@trainyard/", ""), "package.json"), "utf8"),
    );

  it("may be Redocly, an optional peer of this package and of the one that uses it, in the same versions", () => {
    const { peerDependencies, peerDependenciesMeta } = read("trainyard");
    expect(Object.keys(peerDependencies ?? {})).toEqual(["@redocly/cli"]);
    expect(peerDependenciesMeta).toEqual({ "@redocly/cli": { optional: true } });
    expect(read("document")).toMatchObject({ peerDependencies, peerDependenciesMeta });
  });

  it("may be what has the compiler, which no server needs", () => {
    const needed = new Set(["trainyard"]);
    for (const name of needed)
      for (const other of Object.keys(read(name)["dependencies"] ?? {}))
        if (other.startsWith("@trainyard/")) needed.add(other);
    expect(needed).toContain("@trainyard/server");
    const all = [...needed].flatMap((name) => Object.keys(read(name)["dependencies"] ?? {}));
    for (const name of ["typescript", "openapi-typescript", "esbuild", "@trainyard/codegen"])
      expect(all).not.toContain(name);
    const { dependencies } = read("codegen");
    expect(dependencies).toMatchObject({ "openapi-typescript": expect.any(String), esbuild: expect.any(String) });
    expect(dependencies).toHaveProperty("typescript", "catalog:typescript5");
  });
});
