/**
 * `contract pull-request`: run by the workflow of a pull request. Compares with the target branch, and writes annotations,
 * the summary of the run, the file that the workflow posts as a comment, and one with the whole report for its artifact.
 */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../command.ts";
import { Failure } from "../failure.ts";
import { announce } from "./announcement.ts";

const root = join(import.meta.dirname, "../../../..");

/** A variable of GitHub workflows. */
function variable(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== "") return value;
  throw new Failure(`${name} is not set: run it in a workflow on GitHub, \`on: pull_request\`.`);
}

/** GitHub shows no longer summary. */
const longest = 2 ** 20;

await runCommand(async () => {
  const run = `${variable("GITHUB_SERVER_URL")}/${variable("GITHUB_REPOSITORY")}/actions/runs/${variable("GITHUB_RUN_ID")}`;
  const rest = `${run} shows it, and its artifact "verdict" has it as contract.md`;
  const { refused, log, comment, whole } = await announce(root, `origin/${variable("GITHUB_BASE_REF")}`, rest);
  console.log(log);
  appendFileSync(variable("GITHUB_STEP_SUMMARY"), Buffer.byteLength(whole) < longest ? whole : comment);
  writeFileSync(join(variable("RUNNER_TEMP"), "contract.md"), comment);
  mkdirSync(join(root, "verdict"), { recursive: true });
  writeFileSync(join(root, "verdict/contract.md"), whole);
  return refused ? 1 : 0;
});
