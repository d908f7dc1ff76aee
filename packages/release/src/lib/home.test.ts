import { expect, it } from "vitest";
import { siteOf, withAddresses } from "./home.ts";

const home = "https://host.example/harbor/trainyard";
it("a README's links lead to the repository outside of it, and to the site for its pages", () => {
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
