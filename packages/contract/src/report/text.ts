import type { CheckReport, LocatedChange, ServiceReport } from "./model.ts";
import { linesToAccept } from "../acceptance.ts";
import { baseWords, details, location, refusals, summary, versionWords } from "./sentence.ts";

/** For a terminal. */
export function text({ base, services, idle }: CheckReport): string {
  return [baseWords(base), ...services.map(serviceText), ...idle.map((sentence) => `✗ ${sentence}`)].join("\n\n");
}

function serviceText(report: ServiceReport): string {
  const { service, changes, version, types } = report;
  const wrong = refusals(report).map(({ at, sentence }) => `  ✗ ${location(at)}  ${sentence}`);
  const agree = `  ✓ the client's types agree with the rules (${types?.probes} lines compiled).`;
  const compiled =
    types === undefined || types.faults.length > 0 ? [] : [types.skipped ? `  · ${types.skipped}` : agree];
  const right = changes.length > 0 && version?.right === true ? [`  ✓ ${versionWords(version)}`] : [];
  const accepting = linesToAccept(report).map((line, index) => `${index === 0 ? "  · " : "      "}${line}`);
  const lines = [...changes.flatMap(changeText), ...compiled, ...wrong, ...right, ...accepting];
  return [`${service}: ${summary(report)}`, ...lines].join("\n");
}

function changeText(change: LocatedChange): string[] {
  const { verdict, place, what, at } = change;
  const line = `  ${verdict.padEnd(8)}  ${place}: ${what}  ${location(at)}`;
  return verdict === "neutral" ? [line] : [line, ...details(change).map((sentence) => `            ${sentence}`)];
}
