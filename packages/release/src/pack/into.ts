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
  readonly manager: Manager;
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

/**
 * Opens the project to pack into.
 * @throws Error with the cure if nothing can be put there. Nothing is written
 */
export function openProject(folder: string): Project {
  if (!existsSync(folder)) throw new Error(`${folder} does not exist. Create it, then run this again: mkdir ${folder}`);
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file. Name the folder of your project.`);
  const path = realpathSync(folder);
  if (`${path}${sep}`.startsWith(`${realpathSync(root)}${sep}`))
    throw new Error(`${folder} is this clone or lies in it. Name the folder of another project.`);
  const file = join(path, "package.json");
  try {
    for (const one of [path, file, join(path, vendor)]) if (existsSync(one)) accessSync(one, constants.W_OK);
  } catch {
    throw new Error(`${folder} is not writable for you. Change its permissions, or name another folder.`);
  }
  const manifest = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const manager = managerOf(path, manifest === undefined ? {} : readLines(file, manifest));
  const above = manager === "pnpm" && !existsSync(join(path, workspaceFile)) ? workspaceAbove(path) : undefined;
  if (above !== undefined)
    throw new Error(`${folder} belongs to the workspace in ${above}, whose overrides count. Name that folder.`);
  return { folder: path, manager, manifest };
}

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

function managerOf(folder: string, { packageManager = "" }: Lines): Manager {
  const named = (["npm", "pnpm", "yarn", "bun"] as const).find((one) => packageManager.startsWith(`${one}@`));
  const lock = Object.keys(locks).find((file) => existsSync(join(folder, file)));
  return named ?? (lock !== undefined ? locks[lock] : undefined) ?? "npm";
}

/**
 * Copies tarballs into a project, and writes the lines that its package manager needs, since a tarball names its
 * dependencies by version and no registry has them. npm takes siblings from `dependencies`; the others need an override.
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
  const isDev = (name: string): boolean => name in (lines.devDependencies ?? {});
  const direct = all.filter(({ name }) => manager === "npm" || wanted.includes(name));
  const sections: [
    keyof Lines & ("dependencies" | "devDependencies" | "overrides" | "resolutions"),
    readonly Packed[],
  ][] = [
    ["dependencies", direct.filter(({ name }) => !isDev(name))],
    ["devDependencies", direct.filter(({ name }) => isDev(name))],
    ["overrides", manager === "bun" ? all : []],
    ["resolutions", manager === "yarn" ? all : []],
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
  if (manager === "pnpm" || Object.values(overrides ?? {}).some(isOwn)) {
    const value = set(`overrides of ${workspaceFile}`, overrides, manager === "pnpm" ? all : []);
    if (value !== undefined) document.set("overrides", value);
    else if (overrides) document.delete("overrides");
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

/** What to do next, as the command prints it. */
export function nextSteps({ folder, manager }: Project, all: readonly Packed[], kept: readonly string[]): string {
  const at = relative(process.cwd(), folder) || ".";
  const names = new Set(all.map(({ name }) => name));
  const has = (name: string): boolean => names.has(`@trainyard/${name}`);
  const steps = [
    `${all.length} packages lie in ${join(at, vendor)}. Commit them with your project, or run this again in each clone of it.`,
    ...kept.map((line) => `Kept, because you have set it: ${line}.`),
    "",
    "Install them:",
    "",
    `  cd ${at} && ${manager} install`,
  ];
  if (has("training") && has("mock"))
    steps.push(
      "",
      "A first program, first.mjs. Run it with: node first.mjs",
      "",
      '  import { startMock } from "@trainyard/mock";',
      '  import { createTrainingClient } from "@trainyard/training";',
      "",
      "  const mock = await startMock();",
      '  const training = createTrainingClient(mock.connect("training"));',
      "  console.log(await training.models.listBase());",
      "  await mock.close();",
    );
  if (names.has("trainyard")) steps.push("", "The command: npx trainyard --help");
  return steps.join("\n");
}
