import { expect, it } from "vitest";
import { bodyLimitsOf } from "./serve-options.ts";

it.each([
  [[], undefined, {}],
  [["64"], 2 ** 26, {}],
  [["0.5", "models.log=256"], 2 ** 19, { "models.log": 2 ** 28 }],
])("%j limits all bodies to %s bytes, and those of operations to %j", (options, bodyBytes, bodyBytesOf) => {
  expect(bodyLimitsOf(options)).toEqual({ bodyBytes, bodyBytesOf });
});

it.each(["", "0", "-1", "64MiB", "models.log=", "=3"])("rejects %j as a limit", (option) => {
  expect(() => bodyLimitsOf([option])).toThrow(
    /^--body-limit must be a number of MiB, as in 64 or models.log=256, not/,
  );
});
