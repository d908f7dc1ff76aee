import { expect, it } from "vitest";
import { licenseFaults } from "./licenses.ts";

const other = [{ name: "other", versions: ["1.0.0", "2.0.0"] }];

it.each(["MIT", "ISC", "Apache-2.0"])("the license %s is allowed", (license) =>
  expect(licenseFaults({ [license]: other })).toEqual([]),
);

it.each(["GPL-3.0-only", "MIT AND GPL-3.0-only", "SEE LICENSE IN FILE", "Unknown"])(
  "the license %s is not allowed",
  (license) =>
    expect(licenseFaults({ MIT: [], [license]: other })).toEqual([
      `other@1.0.0, 2.0.0 has the license ${license}, which is not allowed. Use another package.`,
    ]),
);
