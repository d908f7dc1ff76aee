/**
 * `contract pull-request`: what the workflow of a pull request runs. `check` compares with the branch that it goes to, and
 * writes annotations, the summary and the verdict; `comment` puts the verdict on the pull request.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure.ts";
import { announce } from "./announcement.ts";
import { comment } from "./comment.ts";
import { readPullRequest } from "./pull-request.ts";

const root = join(import.meta.dirname, "../../../..");

/** A variable that workflows on GitHub have. */
function variable(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== "") return value;
  throw new Failure(`${name} is not set: run it in a workflow on GitHub, \`on: pull_request\`.`);
}

/** Kept between the two steps, so that the one with the token runs nothing of the documents. */
function verdictFile(): string {
  return join(variable("RUNNER_TEMP"), "contract.md");
}

const commands: Readonly<Record<string, () => Promise<boolean>>> = {
  async check() {
    const { refused, log, markdown } = await announce(root, `origin/${variable("GITHUB_BASE_REF")}`);
    console.log(log);
    appendFileSync(variable("GITHUB_STEP_SUMMARY"), markdown);
    writeFileSync(verdictFile(), markdown);
    return !refused;
  },
  async comment() {
    const pullRequest = readPullRequest(readFileSync(variable("GITHUB_EVENT_PATH"), "utf8"));
    if (pullRequest.fork) {
      console.log("The pull request comes from a fork: the verdict stands in the summary of the run alone.");
      return true;
    }
    if (!existsSync(verdictFile()))
      throw new Failure("There is no verdict: `contract pull-request check` did not end.");
    const api = { url: variable("GITHUB_API_URL"), token: variable("GITHUB_TOKEN"), fetch };
    const run = `${variable("GITHUB_SERVER_URL")}/${pullRequest.repository}/actions/runs/${variable("GITHUB_RUN_ID")}`;
    const outcome = await comment(api, pullRequest, readFileSync(verdictFile(), "utf8"), run);
    const refused = "The token may write no comment: the verdict stands in the summary of the run alone.";
    console.log(outcome === "refused" ? refused : `The comment is ${outcome}.`);
    return true;
  },
};

const [name = ""] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
try {
  if (command === undefined) throw new Failure("Usage: contract pull-request check|comment");
  process.exitCode = (await command()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
