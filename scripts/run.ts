/** `pnpm <command> [part] …`: runs a part of a command of the root, or lists its parts. See `lib/commands.ts`. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isArgumentError } from "@trainyard/host/command";
import { textTable } from "@trainyard/host/table";
import { commands, type Command, type LongForm } from "./lib/commands.ts";
import { countsOf, skippedLines, testsOf } from "./lib/reports.ts";

const root = join(import.meta.dirname, "..");
const [command = "", ...args] = process.argv.slice(2);
// For a test that needs the names of all parts: `test packages`, one per line.
if (command === "--list") {
  for (const [name, { parts }] of Object.entries(commands))
    for (const part of Object.keys(parts)) console.log(`${name} ${part}`);
  process.exit();
}
const found = Object.hasOwn(commands, command) ? commands[command] : undefined;
if (found === undefined) throw new Error(`The command "${command}" does not exist.`);
await take(found);

async function take({ parts, usual }: Command): Promise<void> {
  const [first] = args;
  const isNamed = first !== undefined && !first.startsWith("-");
  const wantsHelp = first === "--help" || first === "-h";
  const name = isNamed ? first : (usual ?? "");
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (part === undefined || wantsHelp) {
    // pnpm has a command `docs` of its own.
    const typed = command === "docs" ? "pnpm run docs" : `pnpm ${command}`;
    const lines = textTable(Object.entries(parts).map(([one, { does }]) => [`  ${typed} ${one}`, does]));
    const fault = isNamed ? `\`${typed}\` has no part "${first}". ` : "";
    (wantsHelp ? console.log : console.error)(`${fault}Its parts are:\n\n${lines.join("\n")}`);
    process.exitCode = wantsHelp ? 0 : 2;
    return;
  }
  const rest = isNamed ? args.slice(1) : args;
  // Those of `contract` and `release` have a help of their own, but for the rehearsal.
  if (rest.includes("--help") && (!["contract", "release"].includes(command) || name === "dry")) {
    console.log(`pnpm ${command} ${name}: ${part.does}.`);
    return;
  }
  if ("projects" in part) return takeLongForm(name, part, rest);
  const file = join(root, part.file);
  process.argv.splice(1, Infinity, file, ...(part.args ?? []), ...rest);
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    if (!isArgumentError(error)) throw error;
    console.error(`${error.message.replace(/\.?$/, ".")} \`pnpm ${command} --help\` lists the parts of the command.`);
    process.exitCode = 2;
  }
}

/** Runs tests in their full length. Variables that the caller sets take precedence. */
function takeLongForm(
  name: string,
  { projects, files, tag, amount, minutes = 10 }: LongForm,
  rest: readonly string[],
): void {
  const named = projects.flatMap((project) => ["--project", project]);
  const tagged = tag === undefined ? [] : [`--tags-filter=${tag}`, ...filesWith(tag)];
  const report = join(root, `.turbo/test-${name}.json`);
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const options = [`--testTimeout=${minutes * 60_000}`, ...reporters, ...named, ...tagged];
  const { status, error } = spawnSync("vitest", ["run", ...options, ...files, ...rest], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { NODE_COMPILE_CACHE: join(root, ".turbo/compile"), ...amount, ...process.env },
  });
  if (error) throw error;
  if (status !== 0)
    console.error(
      `\nA counterexample prints its seed, which reproduces it. Repeat the run with: npx -y pnpm@12 test ${name}`,
    );
  if (existsSync(report)) {
    const tests = testsOf([report]).filter(({ tags }) => tag === undefined || tags.includes(tag));
    console.log();
    for (const line of skippedLines(tests, name)) console.log(line);
    console.log(countsOf(tests));
  }
  process.exitCode = status ?? 1;
}

/** The test files with a tag. All others would be loaded, and listed as skipped. */
function filesWith(tag: string): string[] {
  return globSync("packages/*/{src,test}/**/*.test.ts", { cwd: root }).filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return text.includes(`@module-tag ${tag}`) || text.includes(`tags: ["${tag}"]`);
  });
}
