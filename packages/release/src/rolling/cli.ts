/**
 * Updates the rolling release on GitHub from a folder that `pnpm release pack` wrote. The workflow `release` runs it in
 * a job with write access, so it needs only Node.js and `gh`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { type Asset, plan } from "./rolling.ts";

const [folder] = process.argv.slice(2);
const { GITHUB_REPOSITORY: repository, GITHUB_SHA: commit } = process.env;

/** The output of `gh`; `undefined` if it failed. */
function gh(args: readonly string[]): string | undefined {
  const { error, status, stdout, stderr } = spawnSync("gh", args, { encoding: "utf8" });
  if (error) throw error;
  if (status === 0) return stdout;
  console.error(stderr.trimEnd());
  return undefined;
}

function assetsOf(): Asset[] | undefined {
  const answer = gh(["release", "view", "rolling", "--json", "assets", "--jq", ".assets"]);
  return answer === undefined ? undefined : JSON.parse(answer);
}

if (folder === undefined || repository === undefined || commit === undefined) {
  console.error("Usage, in a workflow on GitHub: node packages/release/src/rolling/cli.ts <folder of packed clients>");
  process.exitCode = 2;
} else {
  const calls = plan({ folder, files: readdirSync(folder), repository, commit }, assetsOf(), new Date());
  for (const call of calls) {
    console.log(`gh ${call.join(" ")}`);
    if (gh(call) !== undefined) continue;
    console.error("The rolling release is not finished: run this job again.");
    process.exitCode = 1;
    break;
  }
}
