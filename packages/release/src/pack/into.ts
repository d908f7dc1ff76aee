import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { parseDocument } from "yaml";
import { root } from "../lib/workspace.ts";
import type { Packed } from "./pack.ts";

/** The package managers that a project can have. */
export type Manager = "npm" | "pnpm" | "yarn" | "bun";

/** Another project, and its files as they were found. */
export interface Project {
  readonly folder: string;
  /** Undefined if nothing says which one the project has. */
  readonly manager: Manager | undefined;
  /** Its package.json; undefined if it has none. */
  readonly manifest: string | undefined;
}

type Versions = { [name: string]: string };

/** A package.json as it is written. The order of its keys stays. */
interface Lines {
  dependencies?: Versions;
  devDependencies?: Versions;
  overrides?: Versions;
  resolutions?: Versions;
  packageManager?: string;
  devEngines?: { packageManager?: { name?: string } };
}

const vendor = "vendor/trainyard";
const locks: Readonly<Record<string, Manager>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
};
const workspaceFile = "pnpm-workspace.yaml";

/** The real path of a folder that may not exist yet. */
function realOf(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : join(realOf(dirname(folder)), basename(folder));
}

/**
 * Opens the project to pack into: a program, or a folder that is empty or does not exist yet.
 * @throws Error with the cure if nothing can be put there. Nothing is written
 */
export function openProject(folder: string): Project {
  const isNew = !existsSync(folder);
  if (!isNew && !statSync(folder).isDirectory())
    throw new Error(`${folder} is a file. Name the folder of your project.`);
  const path = realOf(folder);
  if (`${path}${sep}`.startsWith(`${realpathSync(root)}${sep}`))
    throw new Error(`${folder} is this clone or lies in it. Name the folder of another project.`);
  const file = join(path, "package.json");
  try {
    for (const one of [path, file, join(path, vendor)]) if (existsSync(one)) accessSync(one, constants.W_OK);
  } catch {
    throw new Error(`${folder} is not writable for you. Change its permissions, or name another folder.`);
  }
  const manifest = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const other = isNew || manifest !== undefined ? undefined : readdirSync(path).find((name) => !isBeside(name));
  if (other !== undefined)
    throw new Error(`${folder} has ${other}, but no package.json. Name an empty folder, or that of a program.`);
  const manager = managerOf(path, manifest === undefined ? {} : readLines(file, manifest));
  const above = manager === "pnpm" && !existsSync(join(path, workspaceFile)) ? workspaceAbove(path) : undefined;
  if (above !== undefined)
    throw new Error(`${folder} belongs to the workspace in ${above}, whose overrides count. Name that folder.`);
  return { folder: path, manager, manifest };
}

/** Whether a folder with this name in it still counts as empty: hidden files, and what this command or a manager writes. */
const isBeside = (name: string): boolean =>
  /^\.|^(?:vendor|readme\.md|license)$/i.test(name) || name === workspaceFile || name in locks;

function workspaceAbove(folder: string): string | undefined {
  const above = dirname(folder);
  if (above === folder) return undefined;
  return existsSync(join(above, workspaceFile)) ? above : workspaceAbove(above);
}

function readLines(file: string, text: string): Lines {
  try {
    const lines: unknown = JSON.parse(text);
    if (typeof lines === "object" && lines !== null && !Array.isArray(lines)) return lines;
    throw new Error("it is no object");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file} cannot be read: ${why}. Correct it, then run this again.`, { cause });
  }
}

function managerOf(folder: string, { packageManager, devEngines }: Lines): Manager | undefined {
  const name = packageManager?.split("@")[0] ?? devEngines?.packageManager?.name;
  const lock = Object.keys(locks).find((file) => existsSync(join(folder, file)));
  return Object.values(locks).find((one) => one === name) ?? (lock === undefined ? undefined : locks[lock]);
}

/**
 * Copies tarballs into a project, and writes the lines that its package manager needs, since a tarball names its
 * dependencies by version and no registry has them. npm takes siblings from `dependencies`; the others need an override.
 * If no manager is known, it writes what each of them needs.
 * Lines of an earlier run are replaced. Tarballs that these name are deleted last, so a run that is stopped breaks nothing.
 *
 * @param wanted names that the program imports
 * @returns the lines that somebody else has set, which stay
 */
export function putInto(
  { folder, manager, manifest }: Project,
  wanted: readonly string[],
  all: readonly Packed[],
): string[] {
  const text = manifest ?? `${JSON.stringify(smallest(folder), null, 2)}\n`;
  const lines = readLines(join(folder, "package.json"), text);
  const kept: string[] = [];
  const set = (where: string, given: Versions | undefined, some: readonly Packed[]): Versions | undefined => {
    const others = Object.entries(given ?? {}).filter(([, value]) => !isOwn(value));
    const named = new Set(others.map(([name]) => name));
    for (const [name, value] of others)
      if (some.some((one) => one.name === name)) kept.push(`"${name}": "${value}" in ${where}`);
    const own = some
      .filter(({ name }) => !named.has(name))
      .map(({ name, tarball }) => [name, `file:${vendor}/${basename(tarball)}`]);
    // Nothing is left empty that was not there.
    return others.length + own.length || (given && !Object.values(given).some(isOwn))
      ? Object.fromEntries([...others, ...own])
      : undefined;
  };
  const isFor = (one: Manager): boolean => manager === undefined || manager === one;
  const isDev = (name: string): boolean => name in (lines.devDependencies ?? {});
  const direct = all.filter(({ name }) => isFor("npm") || wanted.includes(name));
  const sections: [
    keyof Lines & ("dependencies" | "devDependencies" | "overrides" | "resolutions"),
    readonly Packed[],
  ][] = [
    ["dependencies", direct.filter(({ name }) => !isDev(name))],
    ["devDependencies", direct.filter(({ name }) => isDev(name))],
    ["overrides", isFor("bun") ? all : []],
    ["resolutions", isFor("yarn") ? all : []],
  ];
  for (const [section, some] of sections) {
    const value = set(section, lines[section], some);
    if (value === undefined) delete lines[section];
    else lines[section] = value;
  }
  const texts = new Map<string, string>();
  const yaml = join(folder, workspaceFile);
  const document = parseDocument(existsSync(yaml) ? readFileSync(yaml, "utf8") : "");
  const { overrides }: { overrides?: Versions } = document.toJS() ?? {};
  if (isFor("pnpm") || Object.values(overrides ?? {}).some(isOwn)) {
    const value = set(`overrides of ${workspaceFile}`, overrides, isFor("pnpm") ? all : []);
    if (value !== undefined) document.set("overrides", value);
    else if (overrides) document.delete("overrides");
    // What generates code needs esbuild, which works without the script that its package runs. Unnamed, it ends the install with 1.
    if (
      isFor("pnpm") &&
      all.some(({ name }) => name === "@trainyard/codegen") &&
      !document.hasIn(["allowBuilds", "esbuild"])
    )
      document.setIn(["allowBuilds", "esbuild"], false);
    texts.set(yaml, String(document));
  }
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
  texts.set(join(folder, "package.json"), JSON.stringify(lines, null, indent) + (text.endsWith("\n") ? "\n" : ""));
  write(join(folder, vendor), all, texts);
  return kept;
}

/** Writes everything beside what is there, and renames it at the end. If something fails before, all is as it was. */
function write(target: string, all: readonly Packed[], texts: ReadonlyMap<string, string>): void {
  const beside = `${target}.new`;
  const made = mkdirSync(beside, { recursive: true }) ?? beside;
  const written: string[] = [];
  try {
    for (const { tarball } of all) copyFileSync(tarball, join(beside, basename(tarball)));
    for (const [file, text] of texts) {
      writeFileSync(`${file}.new`, text, { flag: "wx" });
      written.push(`${file}.new`);
    }
  } catch (error) {
    for (const path of [...written, made]) rmSync(path, { recursive: true });
    throw error;
  }
  // The lines of before name the tarballs of before, until all of the new ones are there.
  mkdirSync(target, { recursive: true });
  const current = new Set(readdirSync(beside));
  for (const file of current) renameSync(join(beside, file), join(target, file));
  for (const file of texts.keys()) renameSync(`${file}.new`, file);
  for (const file of readdirSync(target)) if (!current.has(file)) rmSync(join(target, file));
  rmSync(beside, { recursive: true });
}

const isOwn = (value: unknown): boolean => String(value).startsWith(`file:${vendor}/`);

function smallest(folder: string): object {
  const name =
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9._-]+/g, "-")
      .replace(/^[._-]+/, "") || "my-program";
  return { name, private: true, type: "module", engines: { node: ">=20" } };
}

/** A first call of each client. */
const firstCalls: Readonly<Record<string, string>> = {
  training: "models.listBase()",
  inference: "models.list()",
  auxiliary: `hardware.list({ model: "tiny" })`,
};
const creator = (name: string): string => `create${name.charAt(0).toUpperCase()}${name.slice(1)}Client`;

/**
 * What to do next, as the command prints it.
 *
 * @param wanted names that the program imports
 */
export function nextSteps(
  { folder, manager }: Project,
  wanted: readonly string[],
  all: readonly Packed[],
  kept: readonly string[],
): string {
  const at = relative(process.cwd(), folder) || ".";
  const names = new Set(all.map(({ name }) => name));
  const has = (name: string): boolean => names.has(`@trainyard/${name}`);
  const run = { npm: "npx", pnpm: "pnpm exec", yarn: "yarn", bun: "bunx" }[manager ?? "npm"];
  const steps = [
    `${all.length} packages lie in ${join(at, vendor)}. Commit them with your project, or run this again in each clone of it.`,
    ...kept.map((line) => `Kept, because you have set it: ${line}.`),
    "",
    "Install them:",
    "",
    `  cd ${at} && ${manager ?? "npm"} install${manager === undefined ? "     # or pnpm, yarn, bun" : ""}`,
  ];
  const made = Object.entries(firstCalls).filter(([name]) => wanted.includes(`@trainyard/${name}`));
  if (made.length > 0 && has("mock"))
    steps.push(
      "",
      `A first program, first.mjs. Run it with: ${manager === "yarn" ? "yarn " : ""}node first.mjs`,
      "",
      '  import { startMock } from "@trainyard/mock";',
      ...made.map(([name]) => `  import { ${creator(name)} } from "@trainyard/${name}";`),
      "",
      "  const mock = await startMock();",
      ...made.flatMap(([name, call]) => [
        `  const ${name} = ${creator(name)}(mock.connect("${name}"));`,
        `  console.log(await ${name}.${call});`,
      ]),
      "  await mock.close();",
    );
  if (names.has("trainyard")) steps.push("", `The command: ${run} trainyard --help`);
  return steps.join("\n");
}
