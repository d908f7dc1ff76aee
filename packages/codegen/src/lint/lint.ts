import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@trainyard/core/validation";
import { groupBy, nearest } from "@trainyard/document";
import {
  allProblems,
  bundle,
  DocumentError,
  explain,
  explainRoot,
  findServices,
  formatProblem,
  parseFile,
  type Problem,
  reach,
  readSources,
  readTree,
  type Redocly,
  sourceOf,
  warmRedocly,
} from "@trainyard/document/files";
import { listOf, nodeOf } from "./node.ts";
import { releasedPaths } from "./rules/operations.ts";

/** Not the one of bundles, which need not wait for it. */
const warm = warmRedocly();

/** Lints a repository's documents with its style guide. The messages tell a person how to fix each problem. */
export async function lint(root: string, services: readonly string[], run: Redocly = warm): Promise<Problem[]> {
  const documents = services.map(sourceOf);
  const { code, text } = await run(["lint", ...documents, "--format=json", allProblems], root);
  const complaints = readComplaints(text);
  const unread = /^Failed to parse API description at (\S+?):$[^]*?^ *- .*$/m.exec(text);
  if (unread !== null) return [explainRoot(unread[0], unread[1] ?? "", root)];
  const ended = /^Something went wrong when processing (\S+):$/m.exec(text)?.[1];
  const isEmpty = complaints.some(({ message }) => /^Can't resolve \$ref$|got `null`/.test(message));
  // Redocly and its rules break off at a circle of references and at an invalid bundle of the last release, and report an
  // empty file where something refers to it.
  const reading =
    ended === undefined
      ? documents.filter(() => isEmpty).map((one) => readSources(root, one))
      : [bundle(root, ended), (async () => releasedPaths(join(root, ended)))()];
  const results = await Promise.allSettled(reading);
  const faults = results.flatMap((one) =>
    one.status === "rejected" && one.reason instanceof DocumentError ? one.reason.problems : [],
  );
  if (faults.length > 0) return [...new Map(faults.map((fault) => [formatProblem(fault), fault])).values()];
  if (code === 0 || complaints.length > 0) return [...diagnose(complaints, root), ...unused(root)];
  // A rule or its configuration is broken.
  return [{ file: "redocly.yaml", message: text.trim(), cure: "Fix the rules, or their configuration." }];
}

/** The files of schemas that no document refers to. */
function unused(root: string): Problem[] {
  const tree = readTree(root);
  const used = new Set(findServices(root).flatMap((service) => [...reach(tree, service)]));
  const message = "Nothing refers to this schema, so it is part of no document.";
  const cure = "Refer to it with a $ref from where it belongs, or delete the file.";
  return [...tree.keys()]
    .filter((file) => /^openapi\/[^/]+\/schemas\//.test(file) && !used.has(file))
    .map((file) => ({ file, line: 1, message, cure }));
}

/** Redocly prints an object for each document, and repeats files that several documents share. */
function readComplaints(text: string): Complaint[] {
  const found = [...text.matchAll(/^\{\n[^]*?^\}/gm)].flatMap(([json]) => {
    const report: unknown = JSON.parse(json);
    const problems = isObject(report) && Array.isArray(report["problems"]) ? report["problems"] : [];
    return problems.filter(isObject).map(complaintOf);
  });
  return [...new Map(found.map((complaint) => [JSON.stringify(complaint), complaint])).values()];
}

function complaintOf({ ruleId, message, suggest, location }: Record<string, unknown>): Complaint {
  const [place, other] = listOf(location).map(placeOf);
  return {
    rule: String(ruleId),
    message: other === undefined ? String(message) : `${String(message)} The other is at ${other.file}:${other.line}.`,
    suggestions: listOf(suggest).map(String),
    ...(place ?? placeOf({})),
  };
}

function placeOf(location: unknown): Pick<Complaint, "file" | "line" | "column"> {
  const { source, start } = nodeOf(location);
  const [{ ref }, { line, col }] = [nodeOf(source), nodeOf(start)];
  const file = typeof ref === "string" ? ref.replaceAll("\\", "/") : "redocly.yaml";
  return { file, line: Number(line ?? 1), column: Number(col ?? 1) };
}

/** One problem at one location. */
export interface Complaint extends Required<Omit<Problem, "cure">> {
  readonly rule: string;
  readonly suggestions: readonly string[];
}

/** Rules that other rules depend on. Their problems are reported first, and alone. */
const first = new Set([
  "spec",
  "struct",
  "no-unresolved-refs",
  "trainyard/extensions",
  "trainyard/required-properties",
]);

/**
 * The problems to report, in the order in which to fix them. Invalid YAML is reported alone, because everything else
 * follows from it. Next comes invalid OpenAPI, then style. A problem with several locations is reported once.
 */
export function diagnose(complaints: readonly Complaint[], root: string): Problem[] {
  const problems = complaints.map((complaint) => problemOf(complaint, root));
  const unparsed = problems.filter(({ isBroken }) => isBroken);
  const basic = problems.filter(({ rule }) => first.has(rule));
  const chosen = unparsed.length > 0 ? unparsed : basic.length > 0 ? basic : problems;
  // An invalid file is also reported at each reference to it, with another message.
  const keyOf = ({ isBroken, problem: { message, cure, file, line } }: LintProblem): string =>
    isBroken ? `${file}:${line}` : `${message}\n${cure}`;
  return [...groupBy(chosen, keyOf).values()].map(together);
}

type LintProblem = ReturnType<typeof problemOf>;

function problemOf(complaint: Complaint, root: string) {
  const { rule, suggestions, file, line, column } = complaint;
  const [suggested] = suggestions;
  const { broken, message, cure } = explain(complaint.message, root, suggested);
  const own = suggested ? `Did you mean ${suggested}?` : `See the rule ${rule} in redocly.yaml.`;
  const isOwn = rule.startsWith("trainyard/") || !first.has(rule);
  const known = cureOf(complaint, root);
  const problem: Problem = { ...(broken ?? { file, line, column }), message, cure: known ?? (isOwn ? own : cure) };
  return { rule, isBroken: broken !== undefined, problem };
}

/** What to write, for faults that are common in documents and of which Redocly's message does not say it. */
function cureOf({ rule, message, file, line, column }: Complaint, root: string): string | undefined {
  if (message.includes("`nullable` is not expected"))
    return 'Version 3.1 has no `nullable`. If null is valid, it is one of the types: `type: [string, "null"]`.';
  const [, parameter] = /path parameter `\{(.+?)\}`/.exec(message) ?? [];
  if (rule === "path-parameters-defined" && parameter !== undefined)
    return `Add to its \`parameters\`: \`- { name: ${parameter}, in: path, required: true, schema: { type: string } }\`.`;
  const service = /^openapi\/([^/]+)\//.exec(file)?.[1];
  if (rule !== "operation-tag-defined" || service === undefined || !findServices(root).includes(service))
    return undefined;
  const tags = listOf(nodeOf(parseFile(root, sourceOf(service)))["tags"]).map((tag) => String(nodeOf(tag)["name"]));
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  const text = lines[line - 1]?.slice(column - 1) ?? "";
  const meant = nearest(/^["']?([^"',\]\n]*)/.exec(text)?.[1]?.trim() ?? "", tags);
  const list = `The tags of ${sourceOf(service)} are ${tags.join(", ")}. Write one of them, or define it there.`;
  return meant === undefined ? list : `Did you mean ${meant}? ${list}`;
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
