import { isObject, pointerTokens } from "@trainyard/core/validation";
import { bundle } from "../bundle.ts";
import { explainRoot } from "../explain.ts";
import { DocumentError, type Problem } from "../problem.ts";
import { type Redocly, warmRedocly } from "../redocly/command.ts";
import { type Complaint, diagnose } from "./diagnose.ts";

/** Not the one of bundles, which need not wait for it. */
const warm = warmRedocly();

/** Lints a repository's documents with its style guide. The messages tell a person how to fix each problem. */
export async function lint(root: string, services: readonly string[], run: Redocly = warm): Promise<Problem[]> {
  const documents = services.map((service) => `openapi/${service}/openapi.yaml`);
  const { code, text } = await run(["lint", ...documents, "--format=json"], root);
  const complaints = readComplaints(text);
  const unread = /^Failed to parse API description at (\S+?):$[^]*?^ *- .*$/m.exec(text);
  if (unread !== null) return [explainRoot(unread[0], unread[1] ?? "", root)];
  const ended = /^Something went wrong when processing openapi\/(\S+)\/openapi\.yaml:$/m.exec(text)?.[1];
  if (ended !== undefined) {
    // Redocly and its rules break off at a circle of references, whose place the bundle reports.
    const error: unknown = await bundle(root, ended).catch((thrown: unknown) => thrown);
    if (error instanceof DocumentError) return [...error.problems];
  }
  if (code === 0 || complaints.length > 0) return diagnose(complaints, root);
  // A rule or its configuration is broken.
  return [{ file: "redocly.yaml", message: text.trim(), cure: "Fix the rules, or their configuration." }];
}

/** Redocly prints an object for each document, and repeats files that several documents share. */
export function readComplaints(text: string): Complaint[] {
  const found = [...text.matchAll(/^\{\n[^]*?^\}/gm)].flatMap(([json]) => {
    const report: unknown = JSON.parse(json);
    const problems = isObject(report) && Array.isArray(report["problems"]) ? report["problems"] : [];
    return problems.filter(isObject).map(complaintOf);
  });
  return [...new Map(found.map((complaint) => [JSON.stringify(complaint), complaint])).values()];
}

function complaintOf({ ruleId, message, suggest, location }: Record<string, unknown>): Complaint {
  const [first] = Array.isArray(location) ? location.filter(isObject) : [];
  const [source, start] = [first?.["source"], first?.["start"]].map((part) => (isObject(part) ? part : {}));
  const ref = source?.["ref"];
  return {
    rule: String(ruleId),
    message: String(message),
    suggestions: Array.isArray(suggest) ? suggest.map(String) : [],
    file: typeof ref === "string" ? ref.replaceAll("\\", "/") : "redocly.yaml",
    path: pointerTokens(String(first?.["pointer"])),
    line: Number(start?.["line"] ?? 1),
    column: Number(start?.["col"] ?? 1),
  };
}
