import { linesToAccept } from "../acceptance.ts";
import type { CheckReport } from "../check.ts";
import type { FileLocation, LocatedChange, ServiceReport } from "../service-report.ts";
import type { VersionVerdict } from "../version.ts";
import type { TypesVerdict } from "../witness/witness.ts";
import { acceptance, broken, consequences, tally } from "./sentence.ts";

/** For a terminal. */
export function text({ base, services, idle }: CheckReport): string {
  const head = `Compared with ${base.name} (${base.commit.slice(0, 7)})`;
  return [head, ...services.map(serviceText), ...idle.map((sentence) => `✗ ${sentence}`)].join("\n\n");
}

export function location({ file, line }: FileLocation): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** Whether there is something to say about a service. */
export function isLoud({ changes, version, sinceRelease }: ServiceReport): boolean {
  return changes.length > 0 || version?.right === false || (sinceRelease?.leaving.length ?? 0) > 0;
}

function serviceText(report: ServiceReport): string {
  const { service, changes, version, types, sinceRelease } = report;
  const lines = [`${service}: ${tally(changes)}`, ...changes.flatMap(changeText)];
  if (!isLoud(report)) return lines.join("\n");
  const leaving = (sinceRelease?.leaving ?? []).map((sentence) => `  ✗ ${sentence}`);
  const wrong = version?.right === false ? [`  ✗ ${location(version.at)}  ${version.fault}`] : [];
  const right = version?.right === true ? [`  ✓ ${versionWords(version)}`] : [];
  const accepting = linesToAccept(report).map((line, index) => `${index === 0 ? "  · " : "      "}${line}`);
  return [...lines, ...typesText(types), ...leaving, ...wrong, ...right, ...accepting].join("\n");
}

/** The message for a correct version. */
export function versionWords({ revision, released }: VersionVerdict): string {
  if (released === undefined) return `\`info.version\` is ${revision} until the first release.`;
  return `\`info.version\` ${revision} is right: ${released} was released last.`;
}

/** What to do if rules and compiler disagree. */
export const typesCure =
  "The rules call this change harmless, but code no longer compiles. Check the rule in packages/contract and the generated types.";

function typesText(types: TypesVerdict | undefined): string[] {
  if (types === undefined) return [];
  if (types.skipped !== undefined) return [`  · ${types.skipped}`];
  if (types.faults.length > 0) return [...types.faults.map((sentence) => `  ✗ types: ${sentence}`), `    ${typesCure}`];
  return [`  ✓ the client's types agree with the rules (${types.probes} lines compiled).`];
}

function changeText(change: LocatedChange): string[] {
  const { verdict, place, what, at } = change;
  if (verdict === "neutral") return [`  neutral   ${place}: ${what}  ${location(at)}`];
  return [
    `  ${verdict.padEnd(8)}  ${place}: ${what}  ${location(at)}`,
    ...[...acceptance(change), ...consequences(change), ...broken(change)].map((sentence) => `            ${sentence}`),
  ];
}
