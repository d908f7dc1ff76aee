import { describe, expect, it } from "vitest";
import { homeOf, repositoryFaults, settingFaults } from "./provenance.ts";

const good = { access: "public", provenance: true };
const placed = (manifest: object) => ({
  manifest: { name: "a", version: "1.0.0", ...manifest },
  directory: "packages/a",
});

describe("the settings of a publish", () => {
  it("are valid", () => expect(settingFaults(placed({ publishConfig: good }))).toEqual([]));

  it.each([
    { provenance: true },
    { ...good, access: "restricted" },
    { access: "public" },
    { ...good, registry: "https://elsewhere.example" },
    { ...good, tag: "next" },
  ])("%j is rejected", (publishConfig) => {
    expect(settingFaults(placed({ publishConfig })).join("\n")).toContain('{"access":"public","provenance":true}');
  });
});

describe("the repository that packages name", () => {
  const home = "https://host.example/harbor/trainyard";
  const repository = { type: "git", url: `git+${home}.git`, directory: "packages/a" };
  const homepage = `${home}/tree/main/packages/a#readme`;
  const right = placed({ repository, homepage });

  it("is valid", () => expect(repositoryFaults([right], home)).toEqual([]));

  it("is not known without an address, and a fault as soon as the checkout has one", () => {
    expect(repositoryFaults([placed({})], undefined)).toEqual([]);
    for (const said of [undefined, "https://host.example/x/y"])
      expect(repositoryFaults([right], said, home)).toEqual([
        `The package.json of the root says ${said ?? "no repository"}, and npm refuses provenance: write "repository": "${home}".`,
      ]);
  });

  it.each([
    ["none", {}],
    ["no page to read more on", { repository }],
    ["another folder", { repository: { ...repository, directory: "packages/b" }, homepage }],
    ["two of them", { repository: { ...repository, url: "git+https://host.example/x/y.git" }, homepage }],
  ])("is rejected: %s", (_, manifest) => {
    const faults = repositoryFaults([right, placed(manifest)], home);
    expect(faults).toEqual([expect.stringContaining("npm refuses provenance")]);
    expect(faults[0]).toContain(homepage);
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
