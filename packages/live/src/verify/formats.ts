import { relative } from "node:path";
import { annotation } from "@trainyard/document/files";
import { markdownTable, textTable } from "@trainyard/terminal/table";
import { groupBy } from "@trainyard/document";
import type { LiveService } from "../contract.ts";
import type { Judged } from "./baseline.ts";
import type { Finding } from "./findings.ts";
import type { Covered, Verification } from "./verify.ts";

export interface Report extends Verification, Judged {
  readonly services: readonly LiveService[];
  readonly isFailure: (one: Finding | Covered) => boolean;
}

export const formats: Readonly<
  Record<"terminal" | "markdown" | "json" | "junit" | "github", (report: Report) => string>
> = {
  terminal: (report) => `${[...report.findings.flatMap(shown), ...noted(report), summary(report)].join("\n")}\n`,
  markdown: (report) => {
    const rows = report.findings.map((finding) => {
      const { certainty, id, says, basis = "", seen } = finding;
      return [certainty, id, nameOf(finding), says, basis, seen, locationOf(finding)];
    });
    const head = ["finding", "id", "operation", "the contract says", "basis", "seen", "location"];
    const covered = report.coverage.map(({ service, operation, status, seen, why = "" }) => {
      return [`${service} ${operation}`, status, seen === 0 ? "–" : String(seen), why];
    });
    const parts = [
      summary(report),
      ...(rows.length > 0 ? [markdownTable([head, ...rows])] : []),
      markdownTable([["operation", "status", "seen", "why not"], ...covered]),
      ...listsOf(report).map(([title, all]) => [`${title}\n`, ...all.map((line) => `- ${line}`)].join("\n")),
    ];
    return `${parts.join("\n\n")}\n`;
  },
  json: (report) => {
    const services = report.services.map(({ name, baseUrl, document: { version } }) => ({ name, baseUrl, version }));
    const left = report.left.map(({ method, url, what }) => ({ method, url, what }));
    return `${JSON.stringify({ ...report, services, left }, null, 2)}\n`;
  },
  junit: (report) => {
    const suites = report.services.map(({ name }) => {
      const cases = casesOf(report, name);
      const count = (tag: string) => cases.filter((one) => one.includes(`<${tag} `)).length;
      const counts = { tests: cases.length, failures: count("failure"), skipped: count("skipped") };
      return element("testsuite", { name, ...counts }, `\n${cases.join("\n")}\n`);
    });
    const time = (report.milliseconds / 1000).toFixed(3);
    const about = { name: `trainyard verify${unfinished(report)}`, time };
    const all = element("testsuites", about, `\n${suites.join("\n")}\n`);
    return `<?xml version="1.0" encoding="UTF-8"?>\n${all}\n`;
  },
  github: (report) => {
    const lines = report.findings.map((finding) => {
      const { file = finding.place.pointer, line } = finding.place;
      const at = { file: relative(process.cwd(), file), ...(line !== undefined && { line }) };
      const kind = report.isFailure(finding) ? "error" : "warning";
      const [title = "", ...body] = shown(finding);
      return annotation(kind, at, title, body.join("\n").trim());
    });
    return `${[...lines, ...noted(report), summary(report)].join("\n")}\n`;
  },
};

export function shown(finding: Finding): string[] {
  const { id, certainty, basis, says, seen, request, requestId, times } = finding;
  const of = requestId === undefined ? "" : ` (${requestId})`;
  return [
    `${certainty.padEnd(12)}  ${nameOf(finding)}${basis === undefined ? "" : ` (basis: ${basis})`}`,
    `  contract  ${says}`,
    `  seen      ${seen}`,
    `  request   ${request}${of}${times > 1 ? `, ${times} times` : ""}`,
    `  location  ${locationOf(finding)}`,
    `  id        ${id}`,
    "",
  ];
}

function noted(report: Report): string[] {
  const rows = [...groupBy(report.coverage, ({ service, operation }) => `${service} ${operation}`)].map(
    ([name, all]) => {
      const seen = all.filter((one) => one.seen > 0).map((one) => `${one.status} ×${one.seen}`);
      const unseen = [...groupBy(all, ({ why }) => why)].filter(([why]) => why !== undefined);
      const missed = unseen.map(([why, some]) => `${some.map(({ status }) => status).join(", ")}: ${why}`);
      return [`  ${name}`, seen.join(", ") || "–", missed.join("; ")];
    },
  );
  const lists = listsOf(report).flatMap(([title, all]) => [title, ...all.map((line) => `  ${line}`), ""]);
  return [...textTable([["operation", "statuses seen", "not seen, and why"], ...rows]), "", ...lists];
}

function listsOf(report: Report): (readonly [title: string, lines: readonly string[]])[] {
  const { accidents, left, notes, rules, known, outdated, proposals } = report;
  const oneLine = (one: Finding): string => `${one.id} ${nameOf(one)}: ${one.says} Seen: ${one.seen}.`;
  // One line for each reason: `training: log-retry, log-response (needs --write)`.
  const byReason = groupBy(rules.unchecked, ({ service, why }) => [service, why].join("\n"));
  const unchecked = [...byReason].map(([key, all]) => {
    const [service, why] = key.split("\n");
    return `${service}: ${all.map(({ id }) => id).join(", ")} (${why})`;
  });
  const all = [
    ["Created by requests that the service should have rejected:", accidents],
    ["Left on the service:", left.map(({ what }) => what)],
    ["Differs from a proposal:", proposals.map((one) => `${oneLine(one)} (basis: ${one.basis})`)],
    ["Known:", known.map((one) => `${oneLine(one)} ${one.reason}`)],
    ["Outdated in the baseline:", outdated],
    ["Not checked:", notes],
    ["Rules not checked:", unchecked],
  ] as const;
  return all.filter(([, lines]) => lines.length > 0);
}

/** The test cases of a service: each declared status, and each finding. */
function casesOf({ coverage, findings, proposals, known, isFailure }: Report, service: string): string[] {
  const isOwn = (one: Finding | Covered): boolean => one.service === service;
  const covered = coverage.filter(isOwn).map((one) => {
    const [tag = "", type] = isFailure(one) ? ["failure", "not seen"] : ["skipped"];
    const missed = one.why && one.seen === 0 ? element(tag, { type, message: one.why }) : "";
    return element("testcase", { classname: `${service}.${one.operation}`, name: one.status }, missed);
  });
  const found = [...findings, ...proposals, ...known].filter(isOwn).map((one) => {
    const { operations, certainty, says, seen, place, id } = one;
    const why = "reason" in one ? `known: ${String(one.reason)}` : certainty;
    const isFailed = isFailure(one) && !("reason" in one);
    const verdict = isFailed ? { type: certainty, message: seen } : { message: why };
    const at = { file: place.file && relative(process.cwd(), place.file), line: place.line };
    const classname = [service, ...operations.slice(0, 1)].join(".");
    const outcome = element(isFailed ? "failure" : "skipped", verdict, xml(shown(one).join("\n")));
    return element("testcase", { classname, name: `${says} [${id}]`, ...at }, outcome);
  });
  return [...covered, ...found];
}

function element(tag: string, attributes: Readonly<Record<string, string | number | undefined>>, content = ""): string {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const start = [tag, ...pairs.map(([name, value]) => `${name}="${xml(String(value))}"`)].join(" ");
  return content === "" ? `<${start}/>` : `<${start}>${content}</${tag}>`;
}

/** A text in XML, without the characters that XML 1.0 cannot have. */
function xml(text: string): string {
  const plain = text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
  return plain.replaceAll(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** `, not finished, because the budget is spent`; empty if the run is finished. */
const unfinished = ({ ended }: Report): string => (ended === undefined ? "" : `, not finished, because ${ended}`);

function summary(report: Report): string {
  const { services, findings, proposals, known, rules, calls, milliseconds } = report;
  const where = services.map(({ name, baseUrl }) => `${name} at ${baseUrl}`).join(", ");
  const results = (["contradicts", "not declared"] as const).flatMap((certainty) => {
    const { length } = findings.filter((one) => one.certainty === certainty);
    const isOne = length === 1;
    const verb =
      certainty === "contradicts" ? `contradict${isOne ? "s" : ""}` : `${isOne ? "is" : "are"} not declared in`;
    return length === 0 ? [] : `${length} finding${isOne ? "" : "s"} ${verb} the contract`;
  });
  const differ = proposals.length === 1 ? "differs" : "differ";
  const apart = [`${proposals.length} ${differ} from a proposal.`, `${known.length} known.`];
  const others = apart.filter((one) => !one.startsWith("0 ")).map((one) => ` ${one}`);
  const rated = `${rules.checked} rules checked, ${rules.unchecked.length} not`;
  const time = `${calls} calls, ${(milliseconds / 1000).toFixed(1)} s`;
  return `${where}${unfinished(report)}: ${results.join(", ") || "no findings"}.${others.join("")} ${rated}. ${time}.`;
}

/** `training models.list, models.delete and 3 more` */
function nameOf({ service, operations }: Finding): string {
  const more = operations.length > 4 ? ` and ${operations.length - 3} more` : "";
  const names = (more === "" ? operations : operations.slice(0, 3)).join(", ");
  return `${service} ${names}${more}`.trim();
}

function locationOf({ place: { pointer, file, line } }: Finding): string {
  if (file === undefined) return pointer;
  const path = relative(process.cwd(), file);
  return `${path.startsWith("../..") ? file : path}${line === undefined ? "" : `:${line}`} ${pointer}`;
}
