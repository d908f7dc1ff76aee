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

/** Each job ends. */
export const timeouts: Rule = { name: "timeout", check: ended };

function* grouped({ root, triggers }: Workflow): Generator<Finding> {
  if (member(member(root, "concurrency"), "group") === undefined && triggers.some((name) => name !== "workflow_call"))
    yield { part: root, message: "Two runs may get into each other's way. Add concurrency with a group." };
}

/** Runs of one kind know of each other. */
export const concurrency: Rule = { name: "concurrency", check: grouped };
