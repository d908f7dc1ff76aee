import { describe, expect, it } from "vitest";
import type { Component } from "../sbom/sbom.ts";
import { licenseFaults, needlessStatements } from "./licenses.ts";

const made = (license?: string): Component => ({
  name: "other",
  version: "1.0.0",
  purl: "pkg:npm/other@1.0.0",
  ...(license !== undefined && {
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
  }),
});

describe("licenses", () => {
  it.each(["MIT", "ISC", "Apache-2.0", "(MIT OR GPL-3.0-only)", "GPL-3.0-only OR ISC", "MIT AND ISC"])(
    "%s is allowed",
    (license) => {
      expect(licenseFaults({ components: [made(license)] })).toEqual([]);
    },
  );

  it.each([
    "GPL-3.0-only",
    "MIT AND GPL-3.0-only",
    "(MIT OR GPL-3.0-only) AND (GPL-3.0-only OR MIT)",
    "SEE LICENSE IN FILE",
    "(GPL-3.0-only OR SSPL-1.0)",
  ])("%s is not", (license) =>
    expect(licenseFaults({ components: [made(license)] }).join("\n")).toContain(
      `other@1.0.0 has the license ${license}`,
    ),
  );

  it("one that is not listed must be reviewed by a person", () => {
    expect(licenseFaults({ components: [made()] }).join("\n")).toContain("other@1.0.0 declares no license");
    expect(licenseFaults({ components: [{ ...made(), name: "compute-gcd", version: "1.2.1" }] })).toEqual([]);
  });

  it("an unnecessary statement is reported", () => {
    expect(needlessStatements([{ components: [made()] }])).toContain("compute-gcd@1.2.1");
    expect(needlessStatements([{ components: [{ ...made(), name: "compute-gcd", version: "1.2.1" }] }])).not.toContain(
      "compute-gcd@1.2.1",
    );
  });
});
