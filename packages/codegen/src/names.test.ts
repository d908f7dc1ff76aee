import { expect, it } from "vitest";
import { braced, count, parameterName, propertyName } from "./names.ts";

it.each([
  ["model_id", "modelId"],
  ["default", "defaultValue"],
  ["body", "bodyValue"],
  ["query", "queryValue"],
  // The function that sends a request.
  ["call", "callValue"],
  ["2nd-sheet", "p2ndSheetValue"],
])("the path parameter %s becomes the parameter %s", (name, expected) => {
  expect(parameterName(name)).toBe(expected);
});

it("quotes a property only if it is necessary", () => {
  expect(["id", "$ref", "call-number", "2", "it's"].map(propertyName)).toEqual([
    "id",
    "$ref",
    '"call-number"',
    '"2"',
    '"it\'s"',
  ]);
});

it("breaks long imports", () => {
  expect(braced(["A", "B"])).toBe("{ A, B }");
  expect(braced(["A".repeat(50), "B".repeat(50)])).toBe(`{\n  ${"A".repeat(50)},\n  ${"B".repeat(50)},\n}`);
});

it("counts", () => {
  expect([count(0, "file"), count(1, "file"), count(2, "file")]).toEqual(["0 files", "1 file", "2 files"]);
});
