import { relative } from "node:path";
import type { LiveService } from "../service.ts";
import type { Finding } from "./finding.ts";
import { groupBy } from "./group.ts";
import type { Verification } from "./verify.ts";

/** The result of a verification, and the verified services. */
export interface Report extends Verification {
  readonly services: readonly LiveService[];
}

/** The formats of a report. */
export const formats: Readonly<Record<"terminal" | "markdown" | "json", (report: Report) => string>> = {
  terminal,
  markdown,
  json,
};

export function isFormat(name: string): name is keyof typeof formats {
  return Object.hasOwn(formats, name);
}

/** What a report lists besides its findings, with a title each. */
function lists({ accidents, notes, unseen, rules }: Report): (readonly [title: string, lines: readonly string[]])[] {
  const all = [
    ["Created by requests that the service should have rejected:", accidents],
    ["Not checked:", notes],
    ["Never seen:", unseen],
    ["Rules not checked:", uncheckedRules(rules)],
  ] as const;
  return all.filter(([, lines]) => lines.length > 0);
}

/** The rules that were not checked, one line for each reason: `training: log-retry, log-response (needs --write)`. */
function uncheckedRules({ unchecked }: Report["rules"]): string[] {
  const byReason = groupBy(unchecked, ({ service, why }) => `${service} ${why}`);
  return [...byReason.values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : `${first.service}: ${all.map(({ id }) => id).join(", ")} (${first.why})`;
  });
}

function terminal(report: Report): string {
  const { findings } = report;
  const lines = findings.flatMap((finding) => [
    `${finding.certainty.padEnd(12)}  ${nameOf(finding)}${basisOf(finding)}`,
    `  contract  ${finding.says}`,
    `  seen      ${finding.seen}`,
    `  request   ${finding.request}${finding.requestId === undefined ? "" : ` (${finding.requestId})`}${timesOf(finding)}`,
    `  location  ${locationOf(finding)}`,
    "",
  ]);
  const noted = lists(report).flatMap(([title, all]) => [title, ...all.map((line) => `  ${line}`), ""]);
  return `${[...lines, ...noted, summary(report)].join("\n")}\n`;
}

function markdown(report: Report): string {
  const { findings } = report;
  const rows = findings.map((finding) =>
    [finding.certainty, nameOf(finding), finding.says, finding.basis ?? "", finding.seen, locationOf(finding)].map(
      cell,
    ),
  );
  const table =
    rows.length === 0
      ? []
      : [
          "| finding | operation | the contract says | basis | seen | location |",
          "| --- | --- | --- | --- | --- | --- |",
        ]
          .concat(rows.map((row) => `| ${row.join(" | ")} |`))
          .concat("");
  const noted = lists(report).flatMap(([title, all]) => [title, "", ...all.map((line) => `- ${line}`), ""]);
  return `${[summary(report), "", ...table, ...noted].join("\n").trimEnd()}\n`;
}

function json({ services, ...report }: Report): string {
  const of = services.map(({ name, baseUrl, document }) => ({ name, baseUrl, version: document.version }));
  return `${JSON.stringify({ services: of, ...report, left: report.left.map(({ method, url }) => ({ method, url })) }, null, 2)}\n`;
}

function summary({ services, findings, rules, calls, milliseconds }: Report): string {
  const where = services.map(({ name, baseUrl }) => `${name} at ${baseUrl}`).join(", ");
  const count = (certainty: Finding["certainty"]) => findings.filter((one) => one.certainty === certainty).length;
  const result =
    findings.length === 0
      ? "no findings"
      : [
          ...sentenceOf(count("contradicts"), "contradicts the contract", "contradict the contract"),
          ...sentenceOf(count("not declared"), "is not declared in the contract", "are not declared in the contract"),
        ].join(", ");
  const rated = `${rules.checked} rules checked, ${rules.unchecked.length} not`;
  return `${where}: ${result}. ${rated}. ${calls} calls, ${(milliseconds / 1000).toFixed(1)} s.`;
}

function sentenceOf(count: number, one: string, several: string): string[] {
  if (count === 0) return [];
  return [count === 1 ? `1 finding ${one}` : `${count} findings ${several}`];
}

function nameOf({ service, operation }: Finding): string {
  return operation === undefined ? service : `${service} ${operation}`;
}

function basisOf({ basis }: Finding): string {
  return basis === undefined ? "" : ` (basis: ${basis})`;
}

function timesOf({ times }: Finding): string {
  return times > 1 ? `, ${times} times` : "";
}

function locationOf({ place: { pointer, file, line } }: Finding): string {
  if (file === undefined) return pointer;
  const path = relative(process.cwd(), file);
  return `${path.startsWith("../..") ? file : path}${line === undefined ? "" : `:${line}`} ${pointer}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}
