import { expect, it } from "vitest";
import type { Change } from "./change.ts";
import type { Verdict } from "./verdict.ts";
import { judgeVersion } from "./version.ts";

function change(verdict: Verdict): Change {
  return {
    service: "s",
    kind: "rewritten",
    verdict,
    place: "",
    what: "",
    effects: [],
    base: "",
    revision: "",
    subject: "",
  };
}

it.each([
  ["1.2.3", "breaking", "2.0.0"],
  ["1.2.3", "additive", "1.3.0"],
  ["1.2.3", "neutral", "1.2.3"],
  ["1.2.3", undefined, "1.2.3"],
  ["0.2.3", "breaking", "0.3.0"],
  ["0.2.3", "additive", "0.2.4"],
  ["1.2.3-beta.1", "additive", "1.3.0"],
] as const)("after %s, what is %s asks for %s", (base, verdict, needed) => {
  const changes = verdict === undefined ? [] : [change("neutral"), change(verdict), change("neutral")];
  expect(judgeVersion(base, needed, changes)).toMatchObject({ needed, enough: true });
});

it("takes a version that is higher than needed", () => {
  expect(judgeVersion("1.2.3", "2.0.0", [change("additive")]).enough).toBe(true);
  expect(judgeVersion("1.9.9", "1.10.0", [change("additive")]).enough).toBe(true);
});

it.each([
  ["1.0.0", "1.9.9", "breaking", "The changes are breaking: `info.version` is 1.9.9 and has to be at least 2.0.0."],
  ["1.2.3", "1.2.4", "additive", "The changes are additive: `info.version` is 1.2.4 and has to be at least 1.3.0."],
  ["1.2.3", "1.2.2", "neutral", "A version never goes back: `info.version` is 1.2.2 and has to be at least 1.2.3."],
  ["1.0.0", "soon", "neutral", 'The version "soon" is no semantic version.'],
] as const)("refuses %s to %s where changes are %s", (base, revision, verdict, fault) => {
  const judged = judgeVersion(base, revision, [change(verdict)]);
  expect(judged.enough).toBe(false);
  expect(judged.fault).toContain(fault);
});
