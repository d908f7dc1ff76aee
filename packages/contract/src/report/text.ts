import type { CheckReport, ServiceReport } from "./model.ts";
import { linesToAccept } from "../acceptance.ts";
import { type Group, groupsOf } from "./group.ts";
import { type Amount, first, printed } from "./screen.ts";
import {
  baseWords,
  closing,
  details,
  isSilent,
  location,
  namesInWords,
  othersInWords,
  refusals,
  summary,
  versionWords,
} from "./sentence.ts";

/** For a terminal: the whole report or, with the name of a file that has it, one screen. */
export function text(report: CheckReport, file?: string): string {
  return printed((amount) => print(report, amount), file);
}

function print(report: CheckReport, amount: Amount): string {
  const { base, services, idle } = report;
  const silent = services.filter(isSilent).map(({ service }) => service);
  const loud = services.filter((report) => !isSilent(report));
  return [
    baseWords(base),
    ...(silent.length === 0 ? [] : [`${namesInWords(silent, amount.names)}: no changes`]),
    ...first(loud, amount.services, (report) => serviceText(report, amount), "Services: "),
    ...first(idle, amount.items, (sentence) => `✗ ${sentence}`, "✗ "),
    closing(report),
  ].join("\n\n");
}

function serviceText(report: ServiceReport, { items, names, isGrouped }: Amount): string {
  const { service, changes, version, types } = report;
  const refused = refusals(report, isGrouped).map(({ at, sentence }) => `${location(at)}  ${sentence}`);
  const agree = `✓ the client's types agree with the rules (${types?.probes} lines compiled).`;
  const [heading, ...lines] = linesToAccept(report);
  return [
    `${service}: ${summary(report)}`,
    ...first(groupsOf(changes, isGrouped), items, (group) => changeText(group, names), "  "),
    ...(types === undefined || types.faults.length > 0 ? [] : [`  ${types.skipped ? `· ${types.skipped}` : agree}`]),
    ...first(refused, items, (sentence) => `  ✗ ${sentence}`, "  ✗ "),
    ...(changes.length > 0 && version?.right === true ? [`  ✓ ${versionWords(version)}`] : []),
    ...(heading === undefined ? [] : [`  · ${heading}`]),
    ...first(lines, Math.floor(items / 2), (line) => `      ${line}`, "      "),
  ].join("\n");
}

function changeText(group: Group, names: number): string {
  const { verdict, place, what, at } = group;
  const line = `  ${verdict.padEnd(8)}  ${place}: ${what}  ${location(at)}${othersInWords(group)}`;
  const below = verdict === "neutral" ? [] : details(group, names);
  return [line, ...below.map((sentence) => `            ${sentence}`)].join("\n");
}
