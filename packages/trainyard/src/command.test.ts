import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { trainyard } from "./command.ts";
import { missingPeer, peers, type Peer } from "./peers.ts";
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
  await expect(trainyard([name])).rejects.toThrow(message);
});

it("says which options a command has, if it does not have one", async () => {
  const message = "Unknown option '--prot'. `trainyard serve --help` lists the options.";
  await expect(trainyard(["serve", "--prot", "4010"])).rejects.toThrow(message);
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
  const root = mkdtempSync(join(tmpdir(), "trainyard-peers-"));
  afterAll(() => rmSync(root, { recursive: true }));
  const owner = join(root, "owner");
  const write = (folder: string, version: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ version }));
  };
  write(owner, "1.0.0");
  const install = (name: string, version: string): void => write(join(owner, "node_modules", name), version);

  /** In a process of its own, because the one of the tests also finds packages of the workspace. */
  const faultOf = (uses: readonly Peer[], line: string): string => {
    const call = `console.log(peerFault(${JSON.stringify(owner)}, ${JSON.stringify(uses)}, ${JSON.stringify(line)}))`;
    const program = `import { peerFault } from ${JSON.stringify(import.meta.resolve("./peers.ts"))};\n${call}`;
    const args = ["--input-type=module", "--eval", program];
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, NODE_PATH: "" } });
    return stdout.trim();
  };

  it("is named with the line that installs it, together with what else is missing", { tags: ["long"] }, () => {
    install("esbuild", "0.28.0");
    expect(faultOf(["typescript", "esbuild", "openapi-typescript"], "trainyard generate a.yaml")).toBe(
      "`trainyard generate a.yaml` needs typescript, openapi-typescript. Install with: npm install --save-dev typescript@5 openapi-typescript@7",
    );
    install("typescript", "5.9.3");
    expect(faultOf(["typescript", "esbuild"], "trainyard uses")).toBe("undefined");
  });

  it("may be another version, which the program keeps", { tags: ["long"] }, () => {
    install("typescript", "7.0.2");
    expect(faultOf(["typescript"], "trainyard uses")).toBe(
      "This command uses the JavaScript API of TypeScript 5, and 7.0.2 is installed here. Keep it, and run: npx -y -p trainyard -p typescript@5 trainyard uses",
    );
  });

  it("is named if only some documents need it", () => {
    const imported = Object.assign(new Error("Cannot find package '@redocly/nothing'"), {
      code: "ERR_MODULE_NOT_FOUND",
    });
    expect(missingPeer(imported, "trainyard mock a.yaml")).toBeUndefined();
    const message = "Cannot find module '@redocly/cli/bin/cli.js'\nRequire stack:";
    const error = Object.assign(new Error(message), { code: "MODULE_NOT_FOUND" });
    expect(missingPeer(error, "trainyard mock a.yaml")).toBe(
      "`trainyard mock a.yaml` needs @redocly/cli. Install with: npm install --save-dev @redocly/cli@2",
    );
  });

  it("is an optional peer of this package and of each that uses it, of the same versions", () => {
    const read = (name: string) =>
      JSON.parse(readFileSync(join(import.meta.dirname, "../..", name, "package.json"), "utf8"));
    const { peerDependencies, peerDependenciesMeta } = read("trainyard");
    expect(Object.keys(peerDependencies).toSorted()).toEqual(Object.keys(peers).toSorted());
    expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
    for (const name of ["codegen", "contract"]) expect(peerDependencies).toMatchObject(read(name).peerDependencies);
  });
});
