import { relative } from "node:path";
import type { LiveService } from "../contract.ts";
import { groupBy } from "../text.ts";
import type { Finding } from "./findings.ts";
import type { Verification } from "./verify.ts";

/** The result of a verification, and the verified services. */
export interface Report extends Verification {
  readonly services: readonly LiveService[];
}

/** The formats of a report. */
export const formats: Readonly<Record<"terminal" | "markdown" | "json", (report: Report) => string>> = {
  terminal: (report) => {
    const lines = report.findings.flatMap((finding) => {
      const { certainty, basis, says, seen, request, requestId, times } = finding;
      const id = requestId === undefined ? "" : ` (${requestId})`;
      return [
        `${certainty.padEnd(12)}  ${nameOf(finding)}${basis === undefined ? "" : ` (basis: ${basis})`}`,
        `  contract  ${says}`,
        `  seen      ${seen}`,
        `  request   ${request}${id}${times > 1 ? `, ${times} times` : ""}`,
        `  location  ${locationOf(finding)}`,
        "",
      ];
    });
    const noted = lists(report).flatMap(([title, all]) => [title, ...all.map((line) => `  ${line}`), ""]);
    return `${[...lines, ...noted, summary(report)].join("\n")}\n`;
  },
  markdown: (report) => {
    const head = ["finding", "operation", "the contract says", "basis", "seen", "location"];
    const rows = report.findings.map((finding) => {
      const { certainty, says, basis = "", seen } = finding;
      const cells = [certainty, nameOf(finding), says, basis, seen, locationOf(finding)];
      return cells.map((text) => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " "));
    });
    const table = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
    const noted = lists(report).flatMap(([title, all]) => [title, "", ...all.map((line) => `- ${line}`), ""]);
    return `${[summary(report), "", ...(rows.length > 0 ? [...table, ""] : []), ...noted].join("\n").trimEnd()}\n`;
  },
  json: ({ services, ...report }) => {
    const of = services.map(({ name, baseUrl, document }) => ({ name, baseUrl, version: document.version }));
    const left = report.left.map(({ method, url }) => ({ method, url }));
    return `${JSON.stringify({ services: of, ...report, left }, null, 2)}\n`;
  },
};

/** What a report lists besides its findings, with a title each. */
function lists({ accidents, notes, unseen, rules }: Report): (readonly [title: string, lines: readonly string[]])[] {
  // One line for each reason: `training: log-retry, log-response (needs --write)`.
  const byReason = groupBy(rules.unchecked, ({ service, why }) => [service, why].join("\n"));
  const unchecked = [...byReason].map(([key, all]) => {
    const [service, why] = key.split("\n");
    return `${service}: ${all.map(({ id }) => id).join(", ")} (${why})`;
  });
  const all = [
    ["Created by requests that the service should have rejected:", accidents],
    ["Not checked:", notes],
    ["Never seen:", unseen],
    ["Rules not checked:", unchecked],
  ] as const;
  return all.filter(([, lines]) => lines.length > 0);
}

function summary({ services, findings, rules, calls, milliseconds }: Report): string {
  const where = services.map(({ name, baseUrl }) => `${name} at ${baseUrl}`).join(", ");
  const results = (["contradicts", "not declared"] as const).flatMap((certainty) => {
    const { length } = findings.filter((one) => one.certainty === certainty);
    const [one, several] =
      certainty === "contradicts"
        ? ["contradicts the contract", "contradict the contract"]
        : ["is not declared in the contract", "are not declared in the contract"];
    return length === 0 ? [] : length === 1 ? `1 finding ${one}` : `${length} findings ${several}`;
  });
  const rated = `${rules.checked} rules checked, ${rules.unchecked.length} not`;
  const time = `${calls} calls, ${(milliseconds / 1000).toFixed(1)} s`;
  return `${where}: ${results.join(", ") || "no findings"}. ${rated}. ${time}.`;
}

function nameOf({ service, operation }: Finding): string {
  return operation === undefined ? service : `${service} ${operation}`;
}

function locationOf({ place: { pointer, file, line } }: Finding): string {
  if (file === undefined) return pointer;
  const path = relative(process.cwd(), file);
  return `${path.startsWith("../..") ? file : path}${line === undefined ? "" : `:${line}`} ${pointer}`;
}
