import { describe, expect, it, onTestFinished, vi } from "vitest";
import { checkHome, homeOf, siteOf, withAddresses } from "./home.ts";
import { Unavailable } from "./steps.ts";

describe("the repository that packages name", () => {
  const home = "https://host.example/harbor/trainyard";
  it("is not known without an address, and a fault as soon as the checkout has one", () => {
    vi.stubEnv("GITHUB_REPOSITORY", undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => checkHome(undefined, undefined)).toThrow(Unavailable);
    const cure = `Fix it with: npm pkg set repository=${home}`;
    expect(() => checkHome(undefined, home)).toThrow(`says no repository, and npm refuses provenance. ${cure}`);
    // Somebody's fork publishes nothing.
    checkHome("https://host.example/x/y", home);
    vi.stubEnv("GITHUB_REPOSITORY", "harbor/trainyard");
    expect(() => checkHome("https://host.example/x/y", home)).toThrow(`says https://host.example/x/y, and npm`);
    checkHome(home, home);
  });

  it("is where the links of a README lead outside of it, to the site for its pages", () => {
    const readme =
      "[`core`](../core#a) ![p](./README.md) [m](https://host.example) [b](#b) [o](../docs/src/content/docs/guides/chat.mdx#x)";
    const withHome = (at: string | undefined) => withAddresses(readme, "packages/tiny", at).split(" ");
    expect(withHome(undefined)).toEqual(["`core`", "!p", "[m](https://host.example)", "[b](#b)", "o"]);
    expect(withHome(home)[0]).toBe(`[\`core\`](${home}/tree/main/packages/core#a)`);
    expect(withHome("https://github.com/Harbor/yard").at(-1)).toBe("[o](https://harbor.github.io/yard/guides/chat/#x)");
    expect(() => withAddresses("[a](../cores)", "packages/tiny", home)).toThrow(
      "packages/tiny/README.md links to ../cores, which does not exist.",
    );
    expect([home, "https://github.com/a/a.github.io"].map(siteOf)).toEqual([undefined, "https://a.github.io/"]);
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
