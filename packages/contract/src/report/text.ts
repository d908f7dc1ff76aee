import type { CheckReport } from "../check.ts";
import type { FileLocation, LocatedChange, ServiceReport } from "../service-report.ts";
import type { VersionVerdict } from "../version.ts";
import type { TypesVerdict } from "../witness/witness.ts";
import { acceptance, broken, consequences, tally } from "./sentence.ts";

/** For a terminal. */
export function text({ base, services }: CheckReport): string {
  const head = `Compared with ${base.name} (${base.commit.slice(0, 7)})`;
  return [head, ...services.map(serviceText)].join("\n\n");
}

export function location({ file, line }: FileLocation): string {
  return line === undefined ? file : `${file}:${line}`;
}

function serviceText({ service, changes, version, types, sinceRelease }: ServiceReport): string {
  const lines = [`${service}: ${tally(changes)}`, ...changes.flatMap(changeText)];
  if (version === undefined || (version.right && changes.length === 0 && !sinceRelease?.leaving.length))
    return lines.join("\n");
  const verdict = version.right ? `✓ ${versionWords(version)}` : `✗ ${location(version.at)}  ${version.fault}`;
  const leaving = (sinceRelease?.leaving ?? []).map((sentence) => `  ✗ ${sentence}`);
  return [...lines, ...typesText(types), ...leaving, `  ${verdict}`].join("\n");
}

/** The message for a correct version. */
export function versionWords({ revision, released }: VersionVerdict): string {
  if (released === undefined) return `\`info.version\` is ${revision} until the first release.`;
  return `\`info.version\` ${revision} is right: ${released} was released last.`;
}

/** What to do if rules and compiler disagree. */
export const typesCure =
  "The rules call this change harmless, but code no longer compiles. Check the rule in packages/contract and the generated types.";

/** The headline of the compiler's notes. */
export function typesNotes({ notes }: TypesVerdict): string {
  return `${notes.length} note${notes.length === 1 ? "" : "s"} about types, which do not fail the check`;
}

function typesText(types: TypesVerdict | undefined): string[] {
  if (types === undefined) return [];
  if (types.skipped !== undefined) return [`  · ${types.skipped}`];
  const notes =
    types.notes.length === 0 ? [] : [`  · ${typesNotes(types)}:`, ...types.notes.map((note) => `      ${note}`)];
  if (types.faults.length > 0)
    return [...types.faults.map((sentence) => `  ✗ types: ${sentence}`), `    ${typesCure}`, ...notes];
  const agree = `  ✓ the client's types agree with the rules (${types.probes} lines compiled).`;
  return [agree, ...notes];
}

function changeText(change: LocatedChange): string[] {
  const { verdict, place, what, at } = change;
  if (verdict === "neutral") return [`  neutral   ${place}: ${what}  ${location(at)}`];
  return [
    `  ${verdict.padEnd(8)}  ${place}: ${what}  ${location(at)}`,
    ...[...acceptance(change), ...consequences(change), ...broken(change)].map((sentence) => `            ${sentence}`),
  ];
}
