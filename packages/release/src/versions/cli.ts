/**
 * `check release [revision]`: checks that the changesets of this branch match its changes of the contract. `release
 * version`: raises the versions by the changesets, and writes the changelogs, the table and the lockfile.
 */
import { readArguments } from "@trainyard/terminal/arguments";
import { runCommand } from "@trainyard/contract/command";
import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";

const usage =
  "check release [revision]: compares the changesets of this branch with its changes of the contract\nrelease version: raises the versions by the changesets, and writes the changelogs";

async function check(args: string[]): Promise<number> {
  const { positionals } = readArguments({ args, allowPositionals: true });
  const { checkRelease } = await import("./check.ts");
  const { lines, refused } = checkRelease(root, positionals[0]);
  (refused ? console.error : console.log)(lines.join("\n"));
  return refused ? 1 : 0;
}

async function release(args: string[]): Promise<number> {
  readArguments({ args });
  const { makeRelease } = await import("./release.ts");
  const date = new Date().toISOString().slice(0, 10);
  console.log(makeRelease(root, date).join("\n"));
  // Comments of the clients say since which release something is deprecated.
  run("pnpm", ["generate"], { cwd: root });
  // Pages say how what is released is installed.
  run("node", ["--conditions=@trainyard/source", "scripts/readme.ts"], { cwd: root });
  // The lockfile contains the versions of the workspace's packages.
  run("pnpm", ["install", "--lockfile-only"], { cwd: root });
  return 0;
}

const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = { check, release };

await runCommand(async () => {
  const [name = "", ...args] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command(args);
  console.error(usage);
  return 2;
}, usage);
