import { expect, it } from "vitest";
import { compareTrees } from "./session.ts";

it("finds files whose text differs", () => {
  const before = new Map([
    ["a", "1"],
    ["b", "1"],
    ["c", "1"],
  ]);
  const now = new Map([
    ["a", "1"],
    ["b", "2"],
    ["d", "1"],
  ]);
  expect(compareTrees(before, now)).toEqual([
    { file: "b", what: "saved" },
    { file: "d", what: "added" },
    { file: "c", what: "removed" },
  ]);
});
