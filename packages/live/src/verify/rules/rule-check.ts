import type { RuleCheck } from "@trainyard/host";
import { visit } from "../schema-visitor.ts";
import { judgeRules } from "./judge-rules.ts";
import { State } from "./rule.ts";

/** The checks of `trainyard verify` for each response of a server. It remembers what they need of earlier responses. */
export function ruleCheck(): RuleCheck {
  const state = new State();
  return ({ service, root, operation, asked, status, schema, value }) => {
    const problems: string[] = [];
    const seen = {
      service: { name: service },
      operation,
      body: asked.value,
      path: asked.params,
      sent: { url: asked.url },
      answer: { status, isExample: false },
    };
    judgeRules(seen, visit(root, schema, value), state, (breach) =>
      problems.push(`${breach.says} Seen: ${breach.seen}`),
    );
    return problems;
  };
}
