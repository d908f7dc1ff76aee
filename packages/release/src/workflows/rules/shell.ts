import { isScalar } from "yaml";
import type { Finding, Rule } from "../rule.ts";
import { member, type Workflow } from "../workflow.ts";

/** What a shell or an interpreter runs. */
function* programs({ jobs }: Workflow): Generator<{ part: unknown; text: string }> {
  for (const { steps } of jobs)
    for (const step of steps)
      for (const part of [member(step, "run"), member(member(step, "with"), "script")])
        if (isScalar(part)) yield { part, text: String(part.value) };
}

function* injected(workflow: Workflow): Generator<Finding> {
  for (const { part, text } of programs(workflow))
    for (const [expression, inner = ""] of text.matchAll(/\$\{\{(.*?)\}\}/gs))
      if (!/^\s*(matrix|runner)\.[\w.]+\s*$/.test(inner))
        yield {
          part,
          message: `${expression} becomes part of the program, whatever stands in it. Pass it by env, and write "$NAME".`,
        };
}

/** Nothing that others write becomes part of a program. */
export const injection: Rule = { name: "injection", check: injected };

/** The variables that a shell would split into words: those outside of double quotes. */
export function unquoted(text: string): string[] {
  const found: string[] = [];
  // In turn: an escaped character, a text in single quotes, one in double quotes, a variable.
  for (const [, name] of text.matchAll(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$\{?(\w+)\}?/gs))
    if (name !== undefined) found.push(name);
  return found;
}

function* split(workflow: Workflow): Generator<Finding> {
  for (const { part, text } of programs(workflow))
    for (const name of unquoted(text.replaceAll(/\$\{\{.*?\}\}/gs, "")))
      yield { part, message: `$${name} is split into words. Write "$${name}".` };
}

/** A variable stands in double quotes. */
export const quoting: Rule = { name: "quoting", check: split };
