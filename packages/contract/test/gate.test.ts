import { expect, it } from "vitest";
import { verdictFor } from "../src/change.ts";
import { compare } from "../src/compare/service.ts";
import { worst } from "../src/verdict.ts";
import { rows } from "./gate/all.ts";

it.each(rows)("$name: $judgment", ({ before, now, judgment }) => {
  const changes = compare(before, now());
  const verdict = worst(changes.map((change) => change.verdict));
  const found = changes.map((change) => `${change.verdict} ${change.kind} ${change.place}: ${change.what}`);
  const [allowed = "", forSource] = judgment.split(" for ");
  // The found changes are compared together with the verdict, so that a failure shows them.
  expect([allowed.split(" or ").includes(verdict), verdict, found]).toEqual([true, verdict, found]);
  if (forSource === undefined) return;
  // A change that only breaks source leaves the wire unchanged.
  expect(changes.map((change) => verdictFor(change, "wire"))).not.toContain("breaking");
});

it("has no duplicate names", () => {
  const names = rows.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
