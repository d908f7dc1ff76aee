import { expect, it } from "vitest";
import { relativeStyles, toRoot, withHome } from "./relative.ts";

it("returns the path from a file to the root", () => {
  expect(toRoot("index.html")).toBe("./");
  expect(toRoot("guides/chat/index.html")).toBe("../../");
});

it("rewrites addresses in tags, and nothing else", () => {
  const page = `<a class="x" href="/guides/">/guides/ href="/text"</a><img src="/a.svg"><a href="//elsewhere/">x</a><a href="#y">y</a>`;
  expect(withHome(page, "../")).toBe(
    `<a class="x" href="../guides/">/guides/ href="/text"</a><img src="../a.svg"><a href="//elsewhere/">x</a><a href="#y">y</a>`,
  );
});

it("rewrites the address of a script, but not its text", () => {
  expect(withHome(`<script src="/a.js">if (a<b) x = '<a href="/c">'</script>`, "./")).toBe(
    `<script src="./a.js">if (a<b) x = '<a href="/c">'</script>`,
  );
});

it("rewrites addresses in styles", () => {
  expect(relativeStyles(`a{b:url(/x.svg)}c{d:url("/y.svg")}e{f:url(data:z)}`, "_astro/a.css")).toBe(
    `a{b:url(../x.svg)}c{d:url("../y.svg")}e{f:url(data:z)}`,
  );
});
