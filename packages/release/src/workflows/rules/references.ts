import { isScalar } from "yaml";
import type { Finding, Repository, Rule } from "../rule.ts";
import { entriesOf, itemsOf, type Job, member, textOf, type Workflow } from "../workflow.ts";

/** pnpm's built-in commands. */
const own = new Set(["add", "audit", "config", "dlx", "exec", "install", "list", "pack", "publish", "store", "why"]);

/** A text with each of the values that the job's matrix inserts. */
export function expanded(text: string, { map }: Job): string[] {
  const matrix = member(member(map, "strategy"), "matrix");
  let texts = [text];
  for (const [expression, key = ""] of text.matchAll(/\$\{\{\s*matrix\.([\w-]+)\s*\}\}/g)) {
    const values = [
      ...itemsOf(member(matrix, key)).map(String),
      ...itemsOf(member(matrix, "include")).map((one) => textOf(one, key)),
    ];
    texts = texts.flatMap((one) => values.filter(Boolean).map((value) => one.replaceAll(expression, () => value)));
  }
  return texts;
}

const script = /\bpnpm(?:@[\w.^~]+)?[ \t]+(?:run[ \t]+)?([a-z][\w:-]*)(?:[ \t]+([a-z][\w-]*)(?=[ \t\n;&|)]|$))?/g;

function* named({ jobs }: Workflow, { scripts }: Repository): Generator<Finding> {
  for (const job of jobs)
    for (const step of job.steps)
      for (const part of [member(step, "run"), member(member(step, "with"), "script")]) {
        if (!isScalar(part)) continue;
        for (const text of expanded(String(part.value), job))
          for (const [, name = "", word = ""] of text.matchAll(script)) {
            if (own.has(name)) continue;
            const hasParts = [...scripts].some((one) => one.startsWith(`${name} `));
            const full = hasParts && word !== "" ? `${name} ${word}` : name;
            if (!scripts.has(full))
              yield { part, message: `There is no script ${full}. Name one that the root's package.json has.` };
          }
      }
}

/** Scripts that are run must exist. */
export const scripts: Rule = { name: "script", check: named };

// The output of a step does not exist before the run, so for a path in `dist` the parent folder is checked.
const repositoryPath =
  /(?:^|[\s"'=])((?:\.\/)?(?:\.changeset|\.github|openapi|packages|scripts)\/[^\s"'*]+?)(?=\/dist\b|[\s"']|$)/g;

function* present({ root, jobs }: Workflow, repository: Repository): Generator<Finding> {
  for (const [, trigger] of entriesOf(member(root, "on")))
    for (const key of ["paths", "paths-ignore"])
      for (const pattern of itemsOf(member(trigger, key)))
        if (!repository.fits(String(pattern).replace(/^!/, "")))
          yield { part: pattern, message: `No file fits ${String(pattern)}.` };
  for (const { map, steps } of jobs)
    for (const holder of [map, ...steps]) {
      const inputs = entriesOf(member(holder, "with")).map(([, value]) => value);
      for (const part of [
        member(holder, "uses"),
        member(holder, "run"),
        member(holder, "working-directory"),
        ...inputs,
      ])
        if (isScalar(part))
          for (const [, path = ""] of String(part.value).matchAll(repositoryPath))
            if (!repository.has(path.replace(/^\.\//, ""))) yield { part, message: `There is no ${path}.` };
    }
}

/** Paths that are named must exist. */
export const paths: Rule = { name: "path", check: present };
