/**
 * Runs one common task in a repository, given by the task's name and the repository's root, and prints the seconds
 * without process startup.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generate } from "@trainyard/codegen/generate";
import { generateClient } from "@trainyard/codegen/generate-client";
import { lint } from "@trainyard/codegen/lint";
import { readFile } from "@trainyard/document/files";
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
const source = "openapi/training/openapi.yaml";
// The site has no package that others import.
const moduleOf = (file: string) =>
  import(pathToFileURL(join(import.meta.dirname, "../../../../docs/src/reference", file)).href);
const [{ serviceOf }, { pagesOf }, { document }] =
  name === "reference"
    ? await Promise.all([moduleOf("services.ts"), moduleOf("pages.ts"), readFile(source, { root })])
    : [Object(undefined), Object(undefined), Object(undefined)];
const start = performance.now();
if (name === "generate") await generate(root);
else if (name === "client") await generateClient(source, { root, out: "client", validators: "all", strict: true });
else if (name === "reference")
  for (const page of pagesOf(serviceOf("training", JSON.stringify(document), root)).values()) page();
else if (name === "lint") {
  const [fault] = await lint(root, ["training"]);
  if (fault) throw new Error(`${fault.file}:${fault.line}: ${fault.message}`);
} else {
  const { services } = await check(root, undefined);
  if (services.every(({ changes }) => changes.length === 0)) throw new Error("The check did not detect the change.");
}
console.log((performance.now() - start) / 1000);
