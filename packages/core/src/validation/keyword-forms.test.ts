import { expect, it } from "vitest";
import { isSchemaKeyword } from "./keyword-forms.ts";

it("counts a constant of any value among the keywords that apply to values", () => {
  for (const value of ["k", 0, null, false]) expect(isSchemaKeyword("const", value)).toBe(true);
  for (const key of ["description", "default", "x-const"]) expect(isSchemaKeyword(key, "k")).toBe(false);
});
