import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, it } from "vitest";
import { dist } from "../src/places.ts";
import { ensureSite } from "./browser.ts";

await ensureSite();

const files = new Set(globSync("**/*", { cwd: dist }).map((file) => file.replaceAll("\\", "/")));
const pages = new Map(
  [...files]
    .filter((file) => file.endsWith(".html") && file !== "404.html")
    .map((file) => [file, readFileSync(join(dist, file), "utf8")]),
);
const idsOf = (page: string): string[] => [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id ?? "");
const ids = new Map([...pages].map(([file, page]) => [file, new Set(idsOf(page))]));

/** The target of a link in a file, as a path in the site. */
function target(file: string, href: string): string {
  const path = posix.join(posix.dirname(file), decodeURI(href));
  return href === "" ? file : /(^|\/)$/.test(href) || path === "." ? posix.join(path, "index.html") : path;
}

it("every link leads to a file of the site, and its fragment exists", () => {
  const broken = new Set<string>();
  let links = 0;
  for (const [file, page] of pages) {
    for (const [, href = ""] of page.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
      links++;
      const [path = "", hash = ""] = href.split(/#(.*)/s);
      const to = target(file, path);
      const known = ids.get(to);
      const lands = hash === "" || known === undefined || known.has(decodeURIComponent(hash));
      if (/^[a-z]+:/.test(href) || !files.has(to) || !lands) broken.add(`${file}: ${href}`);
    }
  }
  expect([...broken]).toEqual([]);
  expect(links).toBeGreaterThan(5000);
});

it("no page has an id twice", () => {
  const twice = [...pages].flatMap(([file, page]) => {
    const all = idsOf(page);
    return all.filter((id, index) => all.indexOf(id) !== index).map((id) => `${file}: ${id}`);
  });
  expect(twice).toEqual([]);
});

it("every link of a twin leads to a file of the site", () => {
  const twins = [...files].filter((file) => file.endsWith(".md"));
  const broken = twins.flatMap((file) =>
    [
      ...readFileSync(join(dist, file), "utf8")
        .replaceAll(/```[^]*?```/g, "")
        .matchAll(/\]\(([^)\s]+)\)/g),
    ]
      .map(([, href = ""]) => href)
      .filter((href) => !href.startsWith("#") && !files.has(posix.join(posix.dirname(file), href.replace(/#.*/, ""))))
      .map((href) => `${file}: ${href}`),
  );
  expect(broken).toEqual([]);
  expect(twins.length).toBeGreaterThan(150);
});

it("no type is described as an array of anything, and no message has the description of another one", () => {
  const vague = [...pages].filter(([, page]) => /[Aa]rray of any|The instructions/.test(page)).map(([file]) => file);
  expect(vague).toEqual([]);
});

it("every column of a table has a heading", () => {
  const empty = [...pages].filter(([, page]) => /<th[^>]*>\s*<\/th>/.test(page)).map(([file]) => file);
  expect(empty).toEqual([]);
});

it("every page has a unique title", () => {
  const titles = [...pages.values()].map((page) => /<title>([^<]*)<\/title>/.exec(page)?.[1] ?? "");
  const twice = titles.filter((title, index) => titles.indexOf(title) !== index);
  expect(twice).toEqual([]);
});
