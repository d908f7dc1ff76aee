import type { Repository, Rule } from "./rule.ts";
import { pins } from "./rules/pins.ts";
import { paths, scripts } from "./rules/references.ts";
import { timeouts } from "./rules/timeouts.ts";
import { readWorkflow } from "./workflow.ts";

/**
 * What a workflow names of this repository and of others, and that it ends. Its form, its shell and its rights are judged
 * by actionlint and zizmor, which run in the workflow `ci`.
 */
export const rules: readonly Rule[] = [pins, scripts, paths, timeouts];

/** What is wrong with a workflow, a line each: file, line, rule, and the cure. */
export function checkWorkflow(file: string, text: string, repository: Repository): string[] {
  const workflow = readWorkflow(file, text);
  return rules.flatMap((rule) =>
    [...rule.check(workflow, repository)].map(
      ({ part, message }) => `${file}:${workflow.line(part)} ${rule.name}: ${message}`,
    ),
  );
}
