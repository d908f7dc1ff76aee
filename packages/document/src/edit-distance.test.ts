import { expect, it } from "vitest";
import { nearest } from "./edit-distance.ts";

it.each([
  ["minimun", ["maximum", "minimum", "minLength"], "minimum"],
  ["projct_id", ["object_id", "project_id"], "project_id"],
  ["recieved", ["received", "receiver"], "received"],
  ["id", ["x", "name"], undefined],
  ["x".repeat(201), ["x".repeat(200)], undefined],
])("for %s of %j the suggestion is %s", (written, names, meant) => {
  expect(nearest(written, names)).toBe(meant);
});
