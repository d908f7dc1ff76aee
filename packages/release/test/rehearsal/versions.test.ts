import { constantFrom, nat, property, assert, tuple } from "fast-check";
import { expect, it } from "vitest";
import { breaking } from "./versions.ts";

const numbers = tuple(nat(20), nat(20), nat(20)).map((parts) => parts.join("."));

// A wrong answer would excuse programs that do not compile any more.
it("the next version is a breaking change if no range of the old one includes it", () => {
  assert(
    property(numbers, constantFrom("major", "minor", "patch"), (version, part) => {
      const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
      const next = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] }[
        part
      ].join(".");
      const breaks = part === "major" || (major === 0 && (part === "minor" || minor === 0));
      expect(breaking(new Map([["a", version]]), new Map([["a", next]])).length > 0).toBe(breaks);
    }),
  );
});
