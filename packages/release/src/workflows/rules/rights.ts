import { isMap, isScalar, type Node } from "yaml";
import type { Finding, Rule } from "../rule.ts";
import { entriesOf, member, textOf, within, type Workflow } from "../workflow.ts";

function* permissions({ root, jobs }: Workflow): Generator<Finding> {
  const whole = member(root, "permissions");
  if (!isMap(whole)) {
    yield {
      part: whole ?? root,
      message: "It does not list its rights. Write at the top: permissions: { contents: read }",
    };
  }
  for (const [scope, right] of entriesOf(whole))
    if (!(scope === "contents" && textOf(whole, scope) === "read"))
      yield {
        part: right,
        message: `Each job gets ${scope}. Give it to the job that needs it, under jobs.<job>.permissions.`,
      };
  for (const { name, map } of jobs) {
    const own = member(map, "permissions");
    if (own !== undefined && !isMap(own))
      yield { part: own, message: `The job ${name} gets all rights of a kind. List those that it needs.` };
    for (const [scope, right] of entriesOf(own))
      if (isScalar(right) && right.value === "write" && !right.comment)
        yield {
          part: right,
          message: `The job ${name} may write ${scope}, and nobody says why. Write it behind: # to …`,
        };
  }
}

/** What a job may do stands at the job, with its reason; all others may at most read the repository. */
export const rights: Rule = { name: "permissions", check: permissions };

function* trusted({ root, triggers }: Workflow): Generator<Finding> {
  for (const name of ["pull_request_target", "workflow_run"])
    if (triggers.includes(name))
      yield {
        part: member(root, "on"),
        message: `${name} runs with the rights of this repository on what a fork wrote. Use pull_request.`,
      };
}

/** No workflow runs with rights on what a fork wrote. */
export const triggers: Rule = { name: "trigger", check: trusted };

function* stored({ root }: Workflow): Generator<Finding> {
  for (const part of within(root)) {
    if (!isScalar(part)) {
      const inherited = member(part, "secrets");
      if (isScalar(inherited)) yield { part: inherited, message: "All secrets are handed on. Hand on none." };
    } else if (/\$\{\{[^}]*\bsecrets\b/.test(String(part.value)))
      yield { part, message: "It reads a stored secret. Use github.token, or be trusted by OIDC (id-token: write)." };
  }
}

/** No secret is stored for a workflow, so that none can reach what a fork runs. */
export const secrets: Rule = { name: "secret", check: stored };

/** Whether a job has a right to write. */
export function writes(map: Node, scope?: string): boolean {
  return entriesOf(member(map, "permissions")).some(
    ([name, right]) => isScalar(right) && right.value === "write" && (scope === undefined || name === scope),
  );
}

function* identified({ jobs, triggers: names }: Workflow): Generator<Finding> {
  for (const { name, map } of jobs) {
    if (!writes(map, "id-token")) continue;
    if (member(map, "environment") === undefined)
      yield {
        part: map,
        message: `The job ${name} speaks for this repository. Name its environment, so that people can guard it.`,
      };
    if (names.includes("pull_request") && !textOf(map, "if").includes("github.event_name == 'push'"))
      yield {
        part: map,
        message: `The job ${name} speaks for this repository in pull requests. Add: if: github.event_name == 'push'`,
      };
  }
}

/** Who speaks for the repository to others has an environment, and is reached by no pull request. */
export const identity: Rule = { name: "identity", check: identified };

function* kept({ jobs }: Workflow): Generator<Finding> {
  for (const { steps } of jobs)
    for (const step of steps) {
      if (!textOf(step, "uses").startsWith("actions/checkout@")) continue;
      if (textOf(member(step, "with"), "persist-credentials") !== "false")
        yield { part: step, message: "The token stays where later steps can read it. Add: persist-credentials: false" };
    }
}

/** A checkout leaves no token behind: what pushes is handed one. */
export const credentials: Rule = { name: "credentials", check: kept };

function* cached({ jobs }: Workflow): Generator<Finding> {
  for (const { name, map, steps } of jobs)
    for (const step of steps) {
      const uses = textOf(step, "uses");
      const when = textOf(step, "if");
      if (uses.startsWith("actions/setup-node@") && textOf(member(step, "with"), "package-manager-cache") !== "false")
        yield { part: step, message: "It caches what is installed, for all. Add: package-manager-cache: false" };
      if (!/^actions\/cache[/@]/.test(uses)) continue;
      if (writes(map))
        yield { part: step, message: `The job ${name} has rights, and a cache may come from elsewhere. Leave it out.` };
      const wanted = uses.startsWith("actions/cache/save@") ? "push" : "pull_request";
      if (uses.startsWith("actions/cache@") || when !== `github.event_name == '${wanted}'`)
        yield {
          part: step,
          message:
            "Main saves and pull requests restore: use cache/restore and cache/save, each with if: github.event_name == …",
        };
    }
}

/** A cache flows from main to pull requests alone, and never into a job with rights. */
export const caches: Rule = { name: "cache", check: cached };
