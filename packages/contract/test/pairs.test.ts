/** @module-tag long */
import { expect, it } from "vitest";
import { compare } from "../src/compare/service.ts";
import { worst } from "../src/verdict.ts";
import { cases } from "./cases/all.ts";
import type { Case } from "./cases/case.ts";
import { Draft, baseOf } from "./draft.ts";

/** All pairs take a minute; each change with a few others, a second. */
const step = process.env["TRAINYARD_ALL_PAIRS"] === undefined ? 41 : 1;

function roots({ expected }: Case): string[] {
  return expected.map(([, , place]) => place.split(/ ›|[.[({]/)[0] ?? "");
}

/** Two changes of the same object become another change, so such pairs test nothing. */
function apart(a: Case, b: Case): boolean {
  return !roots(a).some((root) => roots(b).includes(root));
}

const pairs = cases
  .flatMap((a, index) => cases.slice(index + 1).map((b) => [a, b] as const))
  .filter(([a, b]) => a.service === b.service && apart(a, b))
  .filter((_, index) => index % step === 0);

it("finds the same for two changes at once as for each of them", { timeout: 3_600_000 }, () => {
  const faults = pairs.flatMap(([a, b]) => {
    const draft = new Draft(a.service);
    a.edit(draft);
    b.edit(draft);
    const changes = compare(baseOf(a.service), draft.document);
    // Another form of the same is reported only where nothing else changed.
    const found = changes.flatMap(({ kind, place }) => (kind === "rewritten" ? [] : `${kind} ${place}`)).sort();
    const rows = [...a.expected, ...b.expected].filter(([, kind]) => kind !== "rewritten" || changes.length === 0);
    const expected = rows.map(([, kind, place]) => `${kind} ${place}`).sort();
    const verdict = worst(changes.map((change) => change.verdict));
    const right = verdict === worst(rows.map(([one]) => one)) && found.join() === expected.join();
    return right ? [] : [{ pair: [a.name, b.name], verdict, found, expected }];
  });
  expect(pairs.length).toBeGreaterThan(80);
  expect(faults).toEqual([]);
});
