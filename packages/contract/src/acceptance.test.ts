import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Draft, baseOf } from "../test/draft.ts";
import { changesOf, rows } from "../test/gate/all.ts";
import { type Acceptance, accept, idleAcceptances, linesToAccept, readAcceptances } from "./acceptance.ts";
import type { Change } from "./change.ts";
import { compare } from "./compare/service.ts";

const root = mkdtempSync(join(tmpdir(), "trainyard-acceptance-test-"));
mkdirSync(join(root, ".changeset"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The acceptances of a changeset with these lines. */
function reviewed(...lines: string[]): Acceptance[] {
  writeFileSync(join(root, ".changeset/reviewed.md"), `---\n---\n\n${lines.join("\n")}\n`);
  return readAcceptances(root);
}

/** What a service reports about these changes since its last release. */
function report(changes: readonly Change[]): Parameters<typeof linesToAccept>[0] {
  const since = { version: "1.0.0", changes, verdict: "breaking", leaving: [] } as const;
  return { service: "training", changes, sinceRelease: since };
}

it("reads no changeset that a merge left in conflict", () => {
  const accepted = "Accepted: `Model.name` property-optional: It was never sent.";
  expect(() => reviewed("<<<<<<< HEAD", accepted, "=======", ">>>>>>> main")).toThrow(
    ".changeset/reviewed.md:4:1\n  This file has conflict markers: a merge was not finished.\n  Keep one of the two sides,",
  );
});

function step(edit: (draft: Draft) => void): Change[] {
  const draft = new Draft("training");
  edit(draft);
  return compare(baseOf("training"), draft.document);
}

const minimum = (value: number): Change[] => step((draft) => draft.set("Checkpoint/properties/step/minimum", value));
const removed = step((draft) => {
  draft.remove("Checkpoint/properties/step");
  draft.take("Checkpoint/required", "step");
});

it("covers the change that was reviewed, and no other change at its place", () => {
  const acceptances = reviewed("  Accepted: `Checkpoint.step` limit-tightened `0 → 1`: The minimum was never below 1.");
  const isAccepted = (changes: readonly Change[]): boolean =>
    accept(changes, acceptances).every(({ accepted }) => accepted !== undefined);
  expect(isAccepted(minimum(1))).toBe(true);
  for (const changes of [minimum(2), minimum(-1), removed]) expect(isAccepted(changes)).toBe(false);
});

it("has the line that the report prints, for every breaking change", () => {
  const all = rows.map((row) => changesOf(row).filter(({ verdict }) => verdict === "breaking"));
  for (const changes of all) {
    const accepted = accept(changes, reviewed(...linesToAccept(report(changes))));
    expect(accepted.filter((change) => change.accepted === undefined)).toEqual([]);
    expect(linesToAccept(report(accepted))).toEqual([]);
  }
  // Two changes with the same line would be accepted together.
  const whats = new Map<string, Set<string>>();
  for (const change of all.flat()) {
    const line = linesToAccept(report([change]))[1] ?? "";
    whats.set(line, (whats.get(line) ?? new Set()).add(change.what));
  }
  expect([...whats].filter(([, same]) => same.size > 1)).toEqual([]);
});

it.each([
  ["without a kind", "Accepted: `Checkpoint.step`: The minimum was never below 1."],
  ["with other values", "Accepted: `Checkpoint.step` limit-tightened `0 → 2`: The minimum was never below 1."],
  ["of another kind", "Accepted: `Checkpoint.step` property-removed: The minimum was never below 1."],
])("a line %s fits no change, and the line that would is printed", (_, line) => {
  expect(idleAcceptances([report(minimum(1))], reviewed(line))).toEqual([
    expect.stringMatching(
      /^\.changeset\/reviewed\.md accepts `Checkpoint\.step`.*\n +Accepted: `Checkpoint\.step` limit-tightened `0 → 1`: .+$/,
    ),
  ]);
});

it("a line about a place where nothing changed says so", () => {
  const line = "Accepted: `Checkpoint.stop` limit-tightened `0 → 1`: The minimum was never below 1.";
  expect(idleAcceptances([report(minimum(1))], reviewed(line))).toEqual([
    expect.stringContaining("`Checkpoint.stop` limit-tightened `0 → 1`, and no such change exists."),
  ]);
});
