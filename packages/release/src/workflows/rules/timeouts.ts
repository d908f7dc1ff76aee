import { isScalar } from "yaml";
import type { Finding, Rule } from "../rule.ts";
import { member, type Workflow } from "../workflow.ts";

const longest = 60;

function* ended({ jobs }: Workflow): Generator<Finding> {
  for (const { name, map, steps } of jobs) {
    if (steps.length === 0) continue;
    const limit = member(map, "timeout-minutes");
    if (!(isScalar(limit) && typeof limit.value === "number" && limit.value <= longest))
      yield {
        part: limit ?? map,
        message: `The job ${name} may hang for hours. Add timeout-minutes, at most ${longest}.`,
      };
  }
}

/** Every job needs a limit: without one, a job may run for six hours. */
export const timeouts: Rule = { name: "timeout", check: ended };
