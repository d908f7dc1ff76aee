import type { Repository, Rule } from "./rule.ts";
import { pins } from "./rules/pins.ts";
import { paths, scripts } from "./rules/references.ts";
import { timeouts } from "./rules/timeouts.ts";
import { readWorkflow } from "./workflow.ts";

/**
 * Checks that everything that a workflow names exists, here and in other repositories, and that its jobs end.
 * actionlint and zizmor check form, shell and permissions in the workflow `ci`.
 */
export const rules: readonly Rule[] = [pins, scripts, paths, timeouts];

/** The faults of a workflow, one line each: file, line, rule, and the fix. */
export function checkWorkflow(file: string, text: string, repository: Repository): string[] {
  const workflow = readWorkflow(file, text);
  return rules.flatMap((rule) =>
    [...rule.check(workflow, repository)].map(
      ({ part, message }) => `${file}:${workflow.line(part)} ${rule.name}: ${message}`,
    ),
  );
}
