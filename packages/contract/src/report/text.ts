import type { CheckReport } from "../check.ts";
import type { FilePlace, PlacedChange, ServiceReport } from "../service-report.ts";
import type { TypesVerdict } from "../witness/witness.ts";
import { broken, consequences, tally } from "./sentence.ts";

/** For a terminal. */
export function text({ base, services }: CheckReport): string {
  const head = `Compared with ${base.name} (${base.commit.slice(0, 7)})`;
  return [head, ...services.map(serviceText)].join("\n\n");
}

export function location({ file, line }: FilePlace): string {
  return line === undefined ? file : `${file}:${line}`;
}

function serviceText({ service, changes, version, types }: ServiceReport): string {
  const lines = [`${service}: ${tally(changes)}`, ...changes.flatMap(changeText)];
  if (version === undefined || (version.enough && changes.length === 0)) return lines.join("\n");
  const { enough, fault, revision, needed, at } = version;
  const verdict = enough ? `✓ info.version ${revision} will do (at least ${needed}).` : `✗ ${location(at)}  ${fault}`;
  return [...lines, ...typesText(types), `  ${verdict}`].join("\n");
}

/** What to do where rules and compiler disagree. */
export const typesCure =
  "One of the two is wrong: look at the rule in packages/contract, and at the types that were generated.";

function typesText(types: TypesVerdict | undefined): string[] {
  if (types === undefined) return [];
  if (types.skipped !== undefined) return [`  · ${types.skipped}`];
  if (types.disagreements.length === 0) return [`  ✓ the types of the client agree (${types.probes} lines compiled).`];
  return [...types.disagreements.map((sentence) => `  ✗ types: ${sentence}`), `    ${typesCure}`];
}

function changeText(change: PlacedChange): string[] {
  const { verdict, place, what, at } = change;
  if (verdict === "neutral") return [`  neutral   ${place}: ${what}  ${location(at)}`];
  return [
    `  ${verdict.padEnd(8)}  ${place}: ${what}  ${location(at)}`,
    ...[...consequences(change), ...broken(change)].map((sentence) => `            ${sentence}`),
  ];
}
