import { constantFrom, nat, property, assert, tuple } from "fast-check";
import { lt, satisfies } from "semver";
import { describe, expect, it } from "vitest";
import { nextOf, previousOf } from "./release.ts";
import { withVersions } from "./restamp.ts";
import { breaking } from "./upgrade.ts";
import { loweredFaults, versionFaults } from "./versions.ts";

const core = { name: "@trainyard/core", version: "1.2.0" };
const client = {
  name: "@trainyard/training",
  version: "1.2.0",
  dependencies: { "@trainyard/core": "^1.2.0", ky: "^2.0.0" },
};
const none = new Set<string>();

describe("versions", () => {
  it("are right where each range takes what is published with it", () => {
    expect(versionFaults([core, client], none)).toEqual([]);
  });

  it.each([
    [
      "a range that does not take its sibling",
      { ...core, version: "2.0.0" },
      none,
      "@trainyard/core ^1.2.0, but 2.0.0",
    ],
    ["a private package that is needed", core, new Set(["ky"]), "ky, which is private"],
    ["a version of two numbers", { ...core, version: "1.2" }, none, '"1.2"'],
  ])("catches %s", (_, first, hidden, says) => {
    expect(versionFaults([first, client], hidden).join("\n")).toContain(says);
  });

  it("catches a number below the released one", () => {
    const last = new Map([
      [core.name, "1.10.0"],
      ["@trainyard/gone", "1.0.0"],
    ]);
    expect(loweredFaults(last, new Map([[core.name, "1.10.0"]]))).toEqual([]);
    expect(loweredFaults(last, new Map([[core.name, "1.9.0"]])).join("\n")).toContain(
      "@trainyard/core is 1.9.0, but 1.10.0",
    );
  });
});

const numbers = tuple(nat(20), nat(20), nat(20)).map((parts) => parts.join("."));

describe("the previous version, where there was no release", () => {
  it("is below, and an update within its range reaches today's", () => {
    assert(
      property(numbers, (version) => {
        const before = previousOf(new Map([["a", version]])).get("a") ?? "";
        return lt(before, version) && satisfies(version, `^${before}`);
      }),
    );
  });
});

describe("the next version", () => {
  it("is what changesets plan, where they plan anything", () => {
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

  it("is a patch of all, where nothing waits", () => {
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

  it("says that it breaks when no range of the old one reaches it", () => {
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

it("a package under another number asks for its siblings under theirs", () => {
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
