import type { CheckReport, LocatedChange, ServiceReport } from "./model.ts";
import { linesToAccept } from "../acceptance.ts";
import { baseWords, details, location, refusals, summary, versionWords } from "./sentence.ts";

/** For a comment on a pull request. */
export function markdown({ base, services, idle }: CheckReport): string {
  const changed = services.filter((report) => report.changes.length + refusals(report).length > 0);
  const head = `## Contract\n\n${baseWords(base, "`")}.`;
  const unfit = idle.map((sentence) => `> ❌ ${cell(sentence)}`);
  if (changed.length + unfit.length === 0) return `${head} Nothing changed.\n`;
  return [head, ...unfit, ...changed.map(serviceMarkdown)].join("\n\n") + "\n";
}

function serviceMarkdown(report: ServiceReport): string {
  const { service, changes, version, types } = report;
  const loud = changes.filter(({ verdict }) => verdict !== "neutral");
  const quiet = changes.filter(({ verdict }) => verdict === "neutral");
  const parts = [`### ${service}: ${summary(report)}`];
  parts.push(...refusals(report).map(({ at, sentence }) => `> ❌ ${cell(sentence)} (\`${location(at)}\`)`));
  if (version?.right === true) parts.push(versionWords(version));
  if (types?.skipped !== undefined) parts.push(cell(types.skipped));
  if (loud.length > 0) {
    parts.push(["| verdict | location | change | affects |", "| --- | --- | --- | --- |", ...loud.map(row)].join("\n"));
  }
  const accepting = linesToAccept(report);
  if (accepting.length > 0) parts.push(`\`\`\`text\n${accepting.join("\n")}\n\`\`\``);
  if (quiet.length > 0) {
    const list = quiet.map(({ place, what, at }) => `- ${cell(place)}: ${cell(what)} (\`${location(at)}\`)`).join("\n");
    parts.push(`<details><summary>${quiet.length} neutral</summary>\n\n${list}\n\n</details>`);
  }
  return parts.join("\n\n");
}

function row(change: LocatedChange): string {
  const { verdict, place, what, at } = change;
  const mark = verdict === "breaking" ? "**breaking**" : verdict;
  return `| ${mark} | ${cell(place)}<br>\`${location(at)}\` | ${cell(what)} | ${details(change).map(cell).join("<br>")} |`;
}

/** A change in one line: `models.create › request › name: It is required. Breaks callers …`. */
export function changeMarkdown(change: LocatedChange): string {
  const { place, what } = change;
  return [`${place}: ${what}`, ...details(change)].map(cell).join(" ");
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
