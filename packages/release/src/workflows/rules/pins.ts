import { isScalar } from "yaml";
import type { Finding, Rule } from "../rule.ts";
import { member, type Workflow } from "../workflow.ts";

const pinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;

function* check({ jobs }: Workflow): Generator<Finding> {
  for (const { map, steps } of jobs)
    for (const holder of [map, ...steps]) {
      const uses = member(holder, "uses");
      if (!isScalar(uses)) continue;
      const name = String(uses.value);
      if (name.startsWith("./")) continue;
      if (!pinned.test(name))
        yield { part: uses, message: `${name} may change its code. Name its full commit: <action>@<40 hex digits>.` };
      else if (!/^ v\d+\.\d+\.\d+$/.test(uses.comment ?? ""))
        yield { part: uses, message: `${name} does not say its version. Write it behind: # v1.2.3` };
    }
}

/** An action must be pinned to a full commit, with its version in a comment for people and for updates. */
export const pins: Rule = { name: "pin", check };
