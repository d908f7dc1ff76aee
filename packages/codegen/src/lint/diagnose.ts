import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, parseDocument } from "yaml";
import { explain } from "../explain.ts";
import type { Problem } from "../problem.ts";
import { nearest } from "./nearest.ts";

/** What one rule says of one place. */
export interface Complaint {
  readonly rule: string;
  readonly message: string;
  readonly suggestions: readonly string[];
  readonly file: string;
  /** Where in the file, as tokens of a JSON Pointer. */
  readonly path: readonly string[];
  readonly line: number;
  readonly column: number;
}

/** Rules without which others judge what is not there: theirs comes first, and alone. */
const first = new Set(["spec", "struct", "no-unresolved-refs", "no-required-schema-properties-undefined"]);

/**
 * The problems to report, in the order in which to fix them. A file that is not valid YAML is reported alone, because everything
 * else follows from it. Next comes what is not valid OpenAPI, then the style. A problem of several places is reported once.
 */
export function diagnose(complaints: readonly Complaint[], root: string): Problem[] {
  const told = complaints.map((complaint) => problemOf(complaint, root));
  const unparsed = told.filter(({ isBroken }) => isBroken);
  const basic = told.filter(({ rule }) => first.has(rule));
  const chosen = unparsed.length > 0 ? unparsed : basic.length > 0 ? basic : told;
  const groups = new Map<string, [Told, ...Told[]]>();
  for (const one of chosen) {
    const { message, cure, file, line } = one.problem;
    // A broken file is told by each reference to it, in other words.
    const key = one.isBroken ? `${file}:${line}` : `${message}\n${cure}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map(together);
}

interface Told {
  readonly rule: string;
  readonly isBroken: boolean;
  readonly problem: Problem;
}

function problemOf({ rule, message, suggestions, file, path, line, column }: Complaint, root: string): Told {
  const explained = explain(message, root, suggestions[0]);
  const { broken } = explained;
  const own = rule.startsWith("trainyard/") || !first.has(rule);
  const [suggested] = suggestions;
  const meant = own ? (misspelt(message) ?? (suggested && `Did you mean ${suggested}?`)) : undefined;
  const required = /^Required property '(.+)' is not defined/.exec(message)?.[1];
  const undeclared = required === undefined ? undefined : undeclaredCure(required, join(root, file), path);
  const cure = meant ?? undeclared ?? (own ? `This is the rule ${rule} of redocly.yaml.` : explained.cure);
  return {
    rule,
    isBroken: broken !== undefined,
    problem: { ...(broken ?? { file, line, column }), message: explained.message, cure },
  };
}

/** A name that is missing and one that is too much are most often the same, misspelt. */
function misspelt(message: string): string | undefined {
  const missing = [...message.matchAll(/must have required property '(.+?)'/g)].map(([, name = ""]) => name);
  for (const [, written = ""] of message.matchAll(/must not have "(.+?)"/g)) {
    const meant = nearest(written, missing);
    if (meant !== undefined) return `Did you mean ${meant} by ${written}?`;
  }
  return undefined;
}

/** What to do about a name below `required` that is none below `properties`, beside it in the same file. */
function undeclaredCure(name: string, file: string, path: readonly string[]): string {
  const cure = "Declare it below properties, or correct its name below required.";
  if (!existsSync(file)) return cure;
  const properties: unknown = parseDocument(readFileSync(file, "utf8")).getIn([...path.slice(0, -2), "properties"]);
  const names = isMap(properties) ? properties.items.map(({ key }) => String(key)) : [];
  const meant = nearest(name, names);
  return meant === undefined ? cure : `Did you mean ${meant}? ${cure}`;
}

/** One for all that say the same: at the first place, with the others named. */
function together([{ problem }, ...others]: readonly [Told, ...Told[]]): Problem {
  const places = [...new Set(others.map(({ problem: { file, line } }) => `${file}:${line}`))];
  const here = `${problem.file}:${problem.line}`;
  const more = places.filter((place) => place !== here);
  if (more.length === 0) return problem;
  const names = more.length <= 3 ? more.join(", ") : `${more.slice(0, 2).join(", ")} and ${more.length - 2} more`;
  return { ...problem, message: `${problem.message} The same at ${names}.` };
}
