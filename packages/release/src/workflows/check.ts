import type { Repository, Rule } from "./rule.ts";
import { concurrency, timeouts } from "./rules/jobs.ts";
import { pins } from "./rules/pins.ts";
import { paths, scripts } from "./rules/references.ts";
import { caches, credentials, identity, rights, secrets, triggers } from "./rules/rights.ts";
import { injection, quoting } from "./rules/shell.ts";
import { syntax } from "./rules/syntax.ts";
import { readWorkflow } from "./workflow.ts";

/** All rules, in the order of a report. */
export const rules: readonly Rule[] = [
  syntax,
  pins,
  rights,
  triggers,
  secrets,
  identity,
  credentials,
  caches,
  injection,
  quoting,
  scripts,
  paths,
  timeouts,
  concurrency,
];

/** What is wrong with a workflow, a line each: file, line, rule, and the cure. */
export async function checkWorkflow(file: string, text: string, repository: Repository): Promise<string[]> {
  const workflow = readWorkflow(file, text);
  const faults: string[] = [];
  for (const rule of rules)
    for (const { part, message } of await rule.check(workflow, repository)) {
      // GitHub's parser names the place itself.
      const place = part === undefined ? "" : `${file}:${workflow.line(part)} `;
      faults.push(`${place}${rule.name}: ${message}`);
    }
  return faults;
}
