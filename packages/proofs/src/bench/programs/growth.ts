/**
 * Runs one common task in a repository, given by the task's name and the repository's root, and prints the milliseconds
 * without process startup.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "@trainyard/codegen/generate";
import { lint } from "@trainyard/codegen/lint";
import { check } from "@trainyard/contract/check";

const [name = "", root = ""] = process.argv.slice(2);

/** A schema that all operations use, through their shared responses. */
const shared = join(root, "openapi/common/schemas/ValidationError.yaml");

function edit(): void {
  writeFileSync(shared, readFileSync(shared, "utf8").replace(/^description: /m, "description: Changed. "));
}

async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const things: Readonly<Record<string, () => Promise<number>>> = {
  generate: () => timed(() => generate(root)),
  lint: () =>
    timed(async () => {
      const [fault] = await lint(root, ["training"]);
      if (fault) throw new Error(`${fault.file}:${fault.line}: ${fault.message}`);
    }),
  check() {
    const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false"];
    for (const args of [
      ["init", "-q", "-b", "main"],
      ["add", "-A"],
      [...identity, "commit", "-qm", "Before"],
    ])
      execFileSync("git", args, { cwd: root });
    edit();
    return timed(async () => {
      const { services } = await check(root, undefined);
      if (services.every(({ changes }) => changes.length === 0))
        throw new Error("The check did not detect the change.");
    });
  },
};

const thing = things[name];
if (thing === undefined) throw new Error(`Unknown task "${name}". The tasks are: ${Object.keys(things).join(", ")}.`);
console.log(await thing());
