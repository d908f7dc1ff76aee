/**
 * `contract pull-request`: run by the workflow of a pull request. Compares with the target branch, and writes annotations,
 * the summary of the run, and the file that the workflow posts as a comment.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../command.ts";
import { Failure } from "../failure.ts";
import { announce, shorten } from "./announcement.ts";

const root = join(import.meta.dirname, "../../../..");

/** A variable of GitHub workflows. */
function variable(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== "") return value;
  throw new Failure(`${name} is not set: run it in a workflow on GitHub, \`on: pull_request\`.`);
}

await runCommand(async () => {
  const { refused, log, markdown } = await announce(root, `origin/${variable("GITHUB_BASE_REF")}`);
  const run = `${variable("GITHUB_SERVER_URL")}/${variable("GITHUB_REPOSITORY")}/actions/runs/${variable("GITHUB_RUN_ID")}`;
  console.log(log);
  appendFileSync(variable("GITHUB_STEP_SUMMARY"), markdown);
  writeFileSync(join(variable("RUNNER_TEMP"), "contract.md"), shorten(markdown, run));
  return refused ? 1 : 0;
});
