import * as core from "@trainyard/core";
import { expect, it } from "vitest";
import { errorClass, throwsTags } from "./error-classes.ts";

it.each(["400", "401", "402", "403", "404", "409", "413", "418", "422", "429", "500", "503", "default"])(
  "a %s becomes a class that core exports",
  (status) => {
    expect(Object.keys(core)).toContain(errorClass(status));
  },
);

it("has one tag for each class, with the first sentence of its description", () => {
  expect(
    throwsTags([
      { status: "401", description: "The key is\nwrong. Ask for another." },
      { status: "500", description: "It failed." },
      { status: "503", description: "It rests." },
      { status: "418", description: "" },
    ]),
  ).toEqual([
    "@throws {UnauthorizedError} 401: The key is wrong.",
    "@throws {ServerError} 500, 503",
    "@throws {ApiError} 418",
  ]);
});
