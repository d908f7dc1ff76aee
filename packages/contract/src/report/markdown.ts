import type { CheckReport, LocatedChange, ServiceReport } from "./model.ts";
import { linesToAccept } from "../acceptance.ts";
import { type Group, groupsOf } from "./group.ts";
import { type Amount, first, printed } from "./screen.ts";
import {
  baseWords,
  closing,
  details,
  isSilent,
  location,
  othersInWords,
  refusals,
  summary,
  versionWords,
} from "./sentence.ts";

/** For a comment on a pull request: the whole report or, with the name of a file that has it, one screen. */
export function markdown(report: CheckReport, file?: string): string {
  return `${printed((amount) => print(report, amount), file)}\n`;
}

function print(report: CheckReport, amount: Amount): string {
  const { base, services, idle } = report;
  const loud = services.filter((report) => !isSilent(report));
  const head = `## Contract\n\n${baseWords(base, "`")}.`;
  if (loud.length + idle.length === 0) return `${head} Nothing changed.`;
  const sections = first(loud, amount.services, (report) => serviceMarkdown(report, amount), "Services: ");
  return [head, ...refused(idle, amount), ...sections, closing(report)].join("\n\n");
}

/** A list, if there is anything in it. */
function refused(sentences: readonly string[], { items }: Amount): string[] {
  const list = first(sentences, items, (sentence) => `- ❌ ${cell(sentence)}`, "- ❌ ");
  return list.length === 0 ? [] : [list.join("\n")];
}

function serviceMarkdown(report: ServiceReport, amount: Amount): string {
  const { service, changes, version, types } = report;
  const { items, names, isGrouped } = amount;
  const wrong = refusals(report, isGrouped).map(({ at, sentence }) => `${sentence} (\`${location(at)}\`)`);
  const rows = first(groupsOf(changes, isGrouped), items, (group) => row(group, names), "| ");
  const table = ["| verdict | location | change | affects |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const accepting = first(linesToAccept(report), 1 + Math.floor(items / 2), String).join("\n");
  return [
    `### ${service}: ${summary(report)}`,
    ...refused(wrong, amount),
    ...(version?.right === true ? [versionWords(version)] : []),
    ...(types?.skipped === undefined ? [] : [cell(types.skipped)]),
    ...(rows.length === 0 ? [] : [table]),
    ...(accepting === "" ? [] : [`\`\`\`text\n${accepting}\n\`\`\``]),
  ].join("\n\n");
}

function row(group: Group, names: number): string {
  const { verdict, place, what, at } = group;
  const mark = verdict === "breaking" ? "**breaking**" : verdict;
  const affects = verdict === "neutral" ? "" : details(group, names).map(cell).join("<br>");
  return `| ${mark} | ${cell(place)}<br>\`${location(at)}\`${othersInWords(group)} | ${cell(what)} | ${affects} |`;
}

/** A change in one line: `models.create › request › name: It is required. Breaks callers …`. */
export function changeMarkdown(change: LocatedChange): string {
  const { place, what } = change;
  return [`${place}: ${what}`, ...details(change, 3)].map(cell).join(" ");
}

/** A bar ends a table cell, and angle brackets are markup. Code needs only the bar escaped. */
function cell(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;").replaceAll("{", "&#123;")))
    .join("")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");
}
