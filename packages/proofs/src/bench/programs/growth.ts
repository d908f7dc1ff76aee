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
if (name === "check") {
  const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    [...identity, "commit", "-qm", "Before"],
  ])
    execFileSync("git", args, { cwd: root });
  // All operations use it, through their shared responses.
  const shared = join(root, "openapi/common/schemas/ValidationError.yaml");
  writeFileSync(shared, readFileSync(shared, "utf8").replace(/^description: /m, "description: Changed. "));
}
const start = performance.now();
if (name === "generate") await generate(root);
else if (name === "lint") {
  const [fault] = await lint(root, ["training"]);
  if (fault) throw new Error(`${fault.file}:${fault.line}: ${fault.message}`);
} else {
  const { services } = await check(root, undefined);
  if (services.every(({ changes }) => changes.length === 0)) throw new Error("The check did not detect the change.");
}
console.log(performance.now() - start);
