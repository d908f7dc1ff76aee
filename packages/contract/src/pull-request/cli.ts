/**
 * `contract pull-request`: what the workflow of a pull request runs. It compares with the branch that the pull request goes
 * to, and writes annotations, the summary of the run, and the file that the workflow puts on the pull request as a comment.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure.ts";
import { announce } from "./announcement.ts";
import { shorten } from "./shorten.ts";

const root = join(import.meta.dirname, "../../../..");

/** A variable that workflows on GitHub have. */
function variable(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== "") return value;
  throw new Failure(`${name} is not set: run it in a workflow on GitHub, \`on: pull_request\`.`);
}

try {
  const { refused, log, markdown } = await announce(root, `origin/${variable("GITHUB_BASE_REF")}`);
  const run = `${variable("GITHUB_SERVER_URL")}/${variable("GITHUB_REPOSITORY")}/actions/runs/${variable("GITHUB_RUN_ID")}`;
  console.log(log);
  appendFileSync(variable("GITHUB_STEP_SUMMARY"), markdown);
  writeFileSync(join(variable("RUNNER_TEMP"), "contract.md"), shorten(markdown, run));
  process.exitCode = refused ? 1 : 0;
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
