import { constantFrom, nat, property, assert, tuple } from "fast-check";
import { lt, satisfies } from "semver";
import { describe, expect, it } from "vitest";
import { breaking, nextOf, previousOf, withVersions } from "./versions.ts";

const core = { name: "@trainyard/core", version: "1.2.0" };
const client = {
  name: "@trainyard/training",
  version: "1.2.0",
  dependencies: { "@trainyard/core": "^1.2.0", ky: "^2.0.0" },
};
const numbers = tuple(nat(20), nat(20), nat(20)).map((parts) => parts.join("."));

describe("the previous version, if there was no release", () => {
  it("is lower, and an update within its range installs the current one", () => {
    assert(
      property(numbers, (version) => {
        const before = previousOf(new Map([["a", version]])).get("a") ?? "";
        return lt(before, version) && satisfies(version, `^${before}`);
      }),
    );
  });
});

describe("the next version", () => {
  it("is the one that the changesets plan, if there are any", () => {
    const planned = new Map([
      ["a", "1.1.0"],
      ["b", "1.0.0"],
    ]);
    expect(
      nextOf(
        new Map([
          ["a", "1.0.0"],
          ["b", "1.0.0"],
        ]),
        planned,
      ),
    ).toBe(planned);
  });

  it("is a patch of all packages if there are no changesets", () => {
    const last = new Map([
      ["a", "1.0.9"],
      ["b", "0.3.0"],
    ]);
    expect(nextOf(last, new Map(last))).toEqual(
      new Map([
        ["a", "1.0.10"],
        ["b", "0.3.1"],
      ]),
    );
  });

  it("is a breaking change if no range of the old one includes it", () => {
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
});

it("a package with another version requires its siblings with their own versions", () => {
  const versions = new Map([
    [core.name, "2.0.0"],
    [client.name, "2.1.0"],
  ]);
  expect(withVersions(client, versions)).toEqual({
    name: client.name,
    version: "2.1.0",
    dependencies: { "@trainyard/core": "^2.0.0", ky: "^2.0.0" },
  });
});
