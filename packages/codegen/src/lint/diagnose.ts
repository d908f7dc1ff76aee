import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, parseDocument } from "yaml";
import { explain } from "../explain.ts";
import type { Problem } from "../problem.ts";
import { nearest } from "./nearest.ts";

/** One problem at one location. */
export interface Complaint {
  readonly rule: string;
  readonly message: string;
  readonly suggestions: readonly string[];
  readonly file: string;
  /** The location in the file, as tokens of a JSON Pointer. */
  readonly path: readonly string[];
  readonly line: number;
  readonly column: number;
}

/** Rules that other rules depend on. Their problems are reported first, and alone. */
const first = new Set(["spec", "struct", "no-unresolved-refs", "no-required-schema-properties-undefined"]);

/**
 * The problems to report, in the order in which to fix them. Invalid YAML is reported alone, because everything else
 * follows from it. Next comes invalid OpenAPI, then style. A problem with several locations is reported once.
 */
export function diagnose(complaints: readonly Complaint[], root: string): Problem[] {
  const problems = complaints.map((complaint) => problemOf(complaint, root));
  const unparsed = problems.filter(({ isBroken }) => isBroken);
  const basic = problems.filter(({ rule }) => first.has(rule));
  const chosen = unparsed.length > 0 ? unparsed : basic.length > 0 ? basic : problems;
  const groups = new Map<string, [LintProblem, ...LintProblem[]]>();
  for (const one of chosen) {
    const { message, cure, file, line } = one.problem;
    // An invalid file is also reported at each reference to it, with another message.
    const key = one.isBroken ? `${file}:${line}` : `${message}\n${cure}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map(together);
}

interface LintProblem {
  readonly rule: string;
  readonly isBroken: boolean;
  readonly problem: Problem;
}

function problemOf({ rule, message, suggestions, file, path, line, column }: Complaint, root: string): LintProblem {
  const explained = explain(message, root, suggestions[0]);
  const { broken } = explained;
  const own = rule.startsWith("trainyard/") || !first.has(rule);
  const [suggested] = suggestions;
  const meant = own && suggested ? `Did you mean ${suggested}?` : undefined;
  const required = /^Required property '(.+)' is not defined/.exec(message)?.[1];
  const undeclared = required === undefined ? undefined : undeclaredCure(required, join(root, file), path);
  const cure = meant ?? undeclared ?? (own ? `See the rule ${rule} in redocly.yaml.` : explained.cure);
  return {
    rule,
    isBroken: broken !== undefined,
    problem: { ...(broken ?? { file, line, column }), message: explained.message, cure },
  };
}

/** The cure for a name in `required` that is not in the `properties` of the same file. */
function undeclaredCure(name: string, file: string, path: readonly string[]): string {
  const cure = "Declare it below properties, or correct its name below required.";
  if (!existsSync(file)) return cure;
  const properties: unknown = parseDocument(readFileSync(file, "utf8")).getIn([...path.slice(0, -2), "properties"]);
  const names = isMap(properties) ? properties.items.map(({ key }) => String(key)) : [];
  const meant = nearest(name, names);
  return meant === undefined ? cure : `Did you mean ${meant}? ${cure}`;
}

/** Merges equal problems: reported at the first location, with a list of the others. */
function together([{ problem }, ...others]: readonly [LintProblem, ...LintProblem[]]): Problem {
  const lines = [...new Set(others.map(({ problem: { file, line } }) => `${file}:${line}`))];
  const here = `${problem.file}:${problem.line}`;
  const elsewhere = lines.filter((line) => line !== here);
  if (elsewhere.length === 0) return problem;
  const names =
    elsewhere.length <= 3
      ? elsewhere.join(", ")
      : `${elsewhere.slice(0, 2).join(", ")} and ${elsewhere.length - 2} more`;
  return { ...problem, message: `${problem.message} The same at ${names}.` };
}
