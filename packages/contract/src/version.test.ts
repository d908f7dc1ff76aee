import { expect, it } from "vitest";
import type { Change } from "./change.ts";
import type { Audience, Verdict } from "./verdict.ts";
import { judgeVersion } from "./version.ts";

function change(verdict: Verdict, audience: Audience = "wire"): Change {
  return {
    service: "s",
    kind: "rewritten",
    verdict,
    place: "",
    what: "",
    effects: [{ role: "read", audience, verdict, why: "", operations: [] }],
    base: "",
    revision: "",
    subject: "",
  };
}

it.each([
  ["1.2.3", "breaking", "2.0.0"],
  ["1.2.3", "additive", "1.3.0"],
  ["1.2.3", "warning", "1.2.3"],
  ["1.2.3", "neutral", "1.2.3"],
  ["1.2.3", undefined, "1.2.3"],
  ["0.2.3", "breaking", "0.3.0"],
  ["0.2.3", "additive", "0.2.4"],
  ["1.2.3-beta.1", "additive", "1.3.0"],
] as const)("after %s, changes that are %s require %s", (version, verdict, needed) => {
  const changes = verdict === undefined ? [] : [change("neutral"), change(verdict), change("neutral")];
  expect(judgeVersion(needed, { version, changes })).toMatchObject({ released: version, needed, right: true });
});

it("requires no version for changes that affect only source", () => {
  expect(judgeVersion("1.2.3", { version: "1.2.3", changes: [change("breaking", "source")] }).right).toBe(true);
});

it.each([
  [
    "1.0.0",
    "1.9.9",
    "breaking",
    "The changes on the wire since 1.0.0 are breaking, so `info.version` has to be 2.0.0, and it is 1.9.9.",
  ],
  [
    "1.2.3",
    "1.2.4",
    "additive",
    "The changes on the wire since 1.2.3 are additive, so `info.version` has to be 1.3.0, and it is 1.2.4.",
  ],
  [
    "1.0.0",
    "2.0.0",
    "neutral",
    "The changes on the wire since 1.0.0 ask for no other version, so `info.version` has to be 1.0.0, and it is 2.0.0.",
  ],
  ["1.2.3", "2.0.0", "additive", "has to be 1.3.0, and it is 2.0.0."],
  ["1.0.0", "soon", "neutral", 'The version "soon" is not a semantic version.'],
] as const)("rejects %s to %s if changes are %s", (version, revision, verdict, fault) => {
  const judged = judgeVersion(revision, { version, changes: [change(verdict)] });
  expect(judged.right).toBe(false);
  expect(judged.fault).toContain(fault);
});

it("is 1.0.0 until the first release", () => {
  expect(judgeVersion("1.0.0", undefined)).toEqual({ revision: "1.0.0", needed: "1.0.0", right: true });
  expect(judgeVersion("1.1.0", undefined).fault).toContain(
    "Nothing was released yet, so `info.version` has to be 1.0.0",
  );
});
