import { describe, expect, it } from "vitest";
import { homeOf } from "./home.ts";
import { foreignHome, provenanceFaults, repositoryFaults } from "./provenance.ts";

const good = { access: "public", provenance: true };
const manifest = (publishConfig: Record<string, unknown>) => ({ name: "a", version: "1.0.0", publishConfig });

describe("the settings of a publish", () => {
  it("are valid", () => expect(provenanceFaults(manifest(good))).toEqual([]));

  it.each([
    [{ provenance: true }, "publishConfig.access"],
    [{ ...good, access: "restricted" }, "publishConfig.access"],
    [{ access: "public" }, "publishConfig.provenance"],
    [{ ...good, registry: "https://elsewhere.example" }, "publishConfig.registry"],
    [{ ...good, tag: "next" }, "publishConfig.tag"],
  ])("%j is rejected", (settings, says) => {
    expect(provenanceFaults(manifest(settings)).join("\n")).toContain(says);
  });
});

describe("the repository that packages name", () => {
  const url = "git+https://host.example/harbor/trainyard.git";
  const homepage = "https://host.example/harbor/trainyard/tree/main/packages/a#readme";
  const named = (name: string, repository?: { url: string; directory: string }, page: object = { homepage }) => ({
    manifest: { name, version: "1.0.0", ...(repository && { repository }), ...page },
    directory: `packages/${name}`,
  });
  const right = named("a", { url, directory: "packages/a" });
  const home = "https://host.example/harbor/trainyard";

  it("is valid", () => expect(repositoryFaults([right], home)).toEqual([]));

  it("may be the repository that this one is a fork of", () => {
    expect(foreignHome([right.manifest], home)).toBeUndefined();
    expect(foreignHome([right.manifest], undefined)).toBeUndefined();
    expect(foreignHome([right.manifest], "https://host.example/fork/trainyard")).toBe(url);
  });

  it("is unknown if nothing names one", () => {
    expect(repositoryFaults([named("a"), named("b")], undefined)).toBeUndefined();
  });

  it.each([
    ["none, though there is a home", [named("a")], home, "npm refuses provenance without it"],
    ["none in one of two", [right, named("b")], undefined, "b does not say"],
    ["no page to read more on", [named("a", { url, directory: "packages/a" }, {})], home, homepage],
    ["another folder", [named("a", { url, directory: "packages/b" })], home, "packages/b"],
    [
      "two of them",
      [right, named("b", { url: "git+https://host.example/x/y.git", directory: "packages/b" })],
      home,
      "the same",
    ],
  ])("is rejected: %s", (_, packages, where, says) => {
    expect(repositoryFaults(packages, where)?.join("\n")).toContain(says);
  });

  it.each([
    ["git@host.example:harbor/trainyard.git", home],
    ["ssh://git@host.example:2222/harbor/trainyard.git", home],
    ["https://host.example/harbor/trainyard", home],
    ["https://user:word@host.example/harbor/trainyard.git/", home],
    ["/srv/trainyard", undefined],
    ["../trainyard", undefined],
    ["./a.git/b", undefined],
    ["file:///srv/trainyard.git", undefined],
    ["C:/trainyard", undefined],
  ])("%s is the home %s", (remote, found) => expect(homeOf(remote)).toBe(found));
});
