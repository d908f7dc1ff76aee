import { expect, it } from "vitest";
import { keywordsIn } from "./keyword-forms.ts";

it("counts a constant of any value among the keywords that apply to values", () => {
  for (const value of ["k", 0, null, false]) expect(keywordsIn({ const: value })).toEqual(["const"]);
  expect(keywordsIn({ description: "k", default: "k", "x-const": "k" })).toEqual([]);
});
