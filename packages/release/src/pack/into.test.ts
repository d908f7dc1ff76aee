import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { assert, constantFrom, property, shuffledSubarray } from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { needs, published, root } from "../lib/workspace.ts";
import { chosen } from "./chosen.ts";
import { type Manager, nextSteps, openProject, putInto } from "./into.ts";
import { describeTarball, type Packed } from "./pack.ts";

function newFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-into-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Tarballs as packing makes them, of these versions. Their content does not matter here. */
function tarballs(names: readonly string[], version = "1"): Packed[] {
  const folder = newFolder();
  return names.map((name) => {
    const tarball = join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
    writeFileSync(tarball, `${name} ${version}`);
    return { name, version, tarball, integrity: "", size: 1, manifest: { name, version } };
  });
}

const read = (folder: string, file = "package.json"): string => readFileSync(join(folder, file), "utf8");
const core = "@trainyard/core";
const training = "@trainyard/training";
const at = (name: string, version = "1"): string => `file:vendor/trainyard/trainyard-${name}-${version}.tgz`;
const both = { [core]: at("core"), [training]: at("training") };

it("never misses a package that another needs", () => {
  const all = published(root).map(({ manifest }) => ({ name: manifest.name, manifest }));
  const names = new Set(all.map(({ name }) => name));
  assert(
    property(shuffledSubarray([...names]), constantFrom(true, false), (some, isShort) => {
      const found = chosen(isShort ? some.map((name) => name.replace("@trainyard/", "")) : some, all);
      const got = new Set(found.map(({ name }) => name));
      expect(some.filter((name) => !got.has(name))).toEqual([]);
      const needed = found.flatMap(({ manifest }) => Object.keys(needs(manifest)));
      expect(needed.filter((name) => names.has(name) && !got.has(name))).toEqual([]);
    }),
  );
  expect(() => chosen(["trainning"], all)).toThrow("There is no package trainning. Did you mean training?");
  expect(() => chosen(["express"], all)).toThrow(/There is no package express\. There are: auxiliary, .*trainyard/);
});

it.each<[Manager, string, object]>([
  ["npm", "package-lock.json", { dependencies: both }],
  ["yarn", "yarn.lock", { dependencies: { [training]: at("training") }, resolutions: both }],
  ["bun", "bun.lock", { dependencies: { [training]: at("training") }, overrides: both }],
  ["pnpm", "pnpm-lock.yaml", { dependencies: { [training]: at("training") } }],
])("writes what %s needs, and replaces it in the next run", (manager, lock, lines) => {
  const own = '{\n\t"name": "program",\n\t"scripts": {}\n}';
  const yaml = "# Ours.\npackages:\n  - .\n";
  const folder = newFolder({
    "package.json": own,
    [lock]: "",
    ...(manager === "pnpm" && { "pnpm-workspace.yaml": yaml }),
  });
  expect(openProject(folder).manager).toBe(manager);
  expect(putInto(openProject(folder), [training], tarballs([core, training]))).toEqual([]);
  expect(JSON.parse(read(folder))).toEqual({ name: "program", scripts: {}, ...lines });
  if (manager === "pnpm") {
    const overrides = Object.entries(both).map(([name, value]) => `  "${name}": ${value}\n`);
    expect(read(folder, "pnpm-workspace.yaml")).toBe(`${yaml}overrides:\n${overrides.join("")}`);
  }
  expect(readdirSync(join(folder, "vendor/trainyard"))).toEqual(["trainyard-core-1.tgz", "trainyard-training-1.tgz"]);

  putInto(openProject(folder), [core], tarballs([core], "2"));
  expect(JSON.parse(read(folder))).toMatchObject({ dependencies: { [core]: at("core", "2") } });
  expect(read(folder)).not.toContain("training");
  expect(readdirSync(join(folder, "vendor/trainyard"))).toEqual(["trainyard-core-2.tgz"]);

  putInto(openProject(folder), [], []);
  expect(read(folder)).toBe(own);
  if (manager === "pnpm") expect(read(folder, "pnpm-workspace.yaml")).toBe(yaml);
});

it("keeps and names what somebody else has set, and makes a package.json where there is none", () => {
  const mine = newFolder({
    "package-lock.json": "",
    "package.json": JSON.stringify({
      dependencies: { [core]: "^1.0.0", left: "1" },
      devDependencies: { [training]: at("training", "0") },
    }),
  });
  expect(putInto(openProject(mine), [training], tarballs([core, training]))).toEqual([
    `"${core}": "^1.0.0" in dependencies`,
  ]);
  expect(JSON.parse(read(mine))).toEqual({
    dependencies: { [core]: "^1.0.0", left: "1" },
    devDependencies: { [training]: at("training") },
  });
  const empty = join(newFolder(), "new/program");
  putInto(openProject(empty), [training], tarballs([core, training]));
  expect(JSON.parse(read(empty))).toMatchObject({ dependencies: both, overrides: both, resolutions: both });
  expect(read(empty, "pnpm-workspace.yaml")).toContain(at("core"));
  expect(JSON.parse(read(empty))).toMatchObject({ private: true, type: "module", engines: { node: ">=20" } });
});

it.each([
  ["npm", "npx trainyard", "npm install\n"],
  ["pnpm", "pnpm exec trainyard", "pnpm install\n"],
  ["yarn", "yarn trainyard", "yarn install\n"],
  ["bun", "bunx trainyard", "bun install\n"],
  [undefined, "npx trainyard", "npm install     # or pnpm, yarn, bun\n"],
] as const)(
  "says what to run with %s, and a first program of each client that was asked for",
  (manager, ...commands) => {
    const clients = ["training", "inference", "auxiliary"].map((name) => `@trainyard/${name}`);
    const all = tarballs([...clients, "@trainyard/mock", "trainyard"]);
    const said = nextSteps({ folder: newFolder(), manager, manifest: undefined }, clients.slice(1), all, []);
    for (const command of commands) expect(`${said}\n`).toContain(command);
    expect([...said.matchAll(/ from "(.+)";/g)].map(([, name]) => name)).toEqual([
      "@trainyard/mock",
      ...clients.slice(1),
    ]);
  },
);

it("prefers the package manager that package.json names to a lockfile", () => {
  const folder = newFolder({ "package.json": '{"packageManager":"yarn@4.0.0"}', "package-lock.json": "" });
  expect(openProject(folder).manager).toBe("yarn");
  expect(openProject(newFolder()).manager).toBe(undefined);
  const ranged = '{"devEngines":{"packageManager":{"name":"pnpm","version":"^12","onFail":"download"}}}';
  expect(openProject(newFolder({ "package.json": ranged })).manager).toBe("pnpm");
});

it("refuses where nothing can be put, with the cure, and writes nothing", () => {
  const folder = newFolder({ "package.json": "{", file: "" });
  for (const [path, words] of [
    [join(folder, "file"), /is a file\. Name the folder/],
    [folder, /package\.json cannot be read: .*\. Correct it/],
    [root, /is this clone or lies in it/],
    [join(root, "packages"), /is this clone or lies in it/],
  ] as const)
    expect(() => openProject(path)).toThrow(words);
  expect(readdirSync(folder)).toEqual(["file", "package.json"]);
  const photos = newFolder({ "a.jpg": "" });
  expect(() => openProject(photos)).toThrow(/has a\.jpg, but no package\.json\. Name an empty folder/);
  expect(readdirSync(photos)).toEqual(["a.jpg"]);
  const workspace = newFolder({ "pnpm-workspace.yaml": "packages: [a]\n" });
  mkdirSync(join(workspace, "a"));
  writeFileSync(join(workspace, "a/package.json"), '{"packageManager":"pnpm@12.0.0"}');
  expect(() => openProject(join(workspace, "a"))).toThrow(/belongs to the workspace in .*Name that folder/);
});

it.skipIf(process.getuid?.() === 0)("refuses a folder that is not writable", () => {
  const folder = newFolder();
  chmodSync(folder, 0o500);
  expect(() => openProject(folder)).toThrow("is not writable for you");
});

it("leaves the project as it was if it fails half way", () => {
  const folder = newFolder({ "package.json": "{}", "pnpm-lock.yaml": "" });
  const tree = (): [string, string][] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file, "utf8")]);
  const fails = (all: readonly Packed[]): void => {
    const before = tree();
    expect(() => putInto(openProject(folder), [core], all)).toThrow(/ENOENT|EEXIST|EISDIR/);
    expect(tree()).toEqual(before);
    expect(existsSync(join(folder, "vendor"))).toBe(before.length > 3);
  };
  const lost = tarballs([training], "2").map((one) => ({ ...one, tarball: "/nowhere/at/all.tgz" }));
  fails([...tarballs([core], "2"), ...lost]);
  putInto(openProject(folder), [core], tarballs([core]));
  fails([...tarballs([core], "2"), ...lost]);
  mkdirSync(join(folder, "package.json.new"));
  fails(tarballs([core], "2"));
});

it.each(["npm", "pnpm"])(
  "%s installs what it wrote, without a registry, and checks the integrity of the files",
  { tags: ["long"] },
  async (manager) => {
    const own = { type: "module", packageManager: `${manager}@12.0.0` };
    const folder = newFolder({ "package.json": JSON.stringify(own) });
    const packed = [core, training].map((name): Packed => {
      const dependencies = name === core ? {} : { [core]: "^1.0.0" };
      const manifest = { name, version: "1.0.0", exports: "./index.mjs", dependencies };
      const source = newFolder();
      mkdirSync(join(source, "package"));
      writeFileSync(join(source, "package/package.json"), JSON.stringify(manifest));
      const code = name === core ? "export const core = 1;" : `export * from "${core}";`;
      writeFileSync(join(source, "package/index.mjs"), code);
      execFileSync("tar", ["-czf", "file.tgz", "package"], { cwd: source });
      renameSync(join(source, "file.tgz"), join(source, `${name.slice(1).replace("/", "-")}.tgz`));
      return describeTarball(join(source, `${name.slice(1).replace("/", "-")}.tgz`), manifest);
    });
    putInto(openProject(folder), [training], packed);
    // A registry that is not there: whoever asks it fails.
    const nowhere = {
      npm_config_registry: "http://127.0.0.1:1/",
      npm_config_fetch_retries: "0",
      npm_config_audit: "false",
    };
    const env = { ...process.env, ...nowhere, npm_config_cache: join(folder, "cache"), CI: "" };
    // pnpm would look for the version that package.json names.
    writeFileSync(join(folder, "package.json"), read(folder).replace(/"packageManager": ".*",?/, ""));
    await promisify(execFile)(manager, ["install"], { cwd: folder, env });
    const lockfile = read(folder, manager === "npm" ? "package-lock.json" : "pnpm-lock.yaml");
    for (const { integrity } of packed) expect(lockfile).toContain(integrity);
    writeFileSync(join(folder, "program.mjs"), `console.log((await import("${training}")).core);`);
    expect(execFileSync("node", ["program.mjs"], { cwd: folder, encoding: "utf8" }).trim()).toBe("1");
  },
);
