import { expect, it } from "vitest";
import { verdictFor } from "../src/change.ts";
import { worst } from "../src/verdict.ts";
import { changesOf, rows } from "./gate/all.ts";

it.each(rows)("$name: $judgment", (row) => {
  const { judgment } = row;
  const changes = changesOf(row);
  const verdict = worst(changes.map((change) => change.verdict));
  const found = changes.map((change) => `${change.verdict} ${change.kind} ${change.place}: ${change.what}`);
  const [allowed = "", forSource] = judgment.split(" for ");
  // The found changes are compared together with the verdict, so that a failure shows them.
  expect([allowed.split(" or ").includes(verdict), verdict, found]).toEqual([true, verdict, found]);
  // A change that only breaks source leaves the wire unchanged.
  const onWire = changes.map((change) => verdictFor(change, "wire"));
  if (forSource !== undefined) expect(onWire).not.toContain("breaking");
  else if (allowed === "breaking") expect(onWire).toContain("breaking");
});

it.each(rows.filter(({ name }) => name.includes("a foreign key of")))("$name: for readers, once", (row) => {
  expect(changesOf(row)).toMatchObject([{ kind: "foreign-key-changed", effects: [{ audience: "reader" }] }]);
});

it("has no duplicate names", () => {
  const names = rows.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
