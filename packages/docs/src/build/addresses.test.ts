import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { dist } from "../places.ts";
import { pages } from "../../test/browser.ts";
import { addAddresses, moved, readSite, writeMoved } from "./addresses.ts";
import { put } from "./files.ts";

// Written by `SITE=write pnpm exec vitest run --project site` when a release is made.
const published = join(import.meta.dirname, "../../test/addresses.txt");

it("has a page at each address of the last release, or one that leads on", () => {
  if (process.env["SITE"] === "write") writeFileSync(published, `${pages().join("\n")}\n`);
  const addresses = readFileSync(published, "utf8").trim().split("\n");
  expect(addresses.length).toBeGreaterThan(300);
  const isThere = (address: string) => existsSync(join(dist, address, "index.html"));
  expect(addresses.filter((address) => !isThere(address))).toEqual([]);
  expect(Object.keys(moved).filter((address) => !isThere(address))).toEqual([]);
  expect(Object.values(moved).filter((address) => !pages().includes(address))).toEqual([]);
});

it("leads from an address that moved to the page", () => {
  for (const [from, to] of Object.entries(moved)) {
    const page = readFileSync(join(dist, from, "index.html"), "utf8");
    const [, url = ""] = /content="0; url=([^"]+)"/.exec(page) ?? [];
    expect(new URL(url, `https://host.example/docs${from}`).pathname).toBe(`/docs${to}`);
    expect(page).toContain(`<a href="${url}">`);
  }
});

it("names the addresses of a site that is published, and none of the pages that moved", () => {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const page of ["index.html", "guides/chat/index.html", "404.html"]) put(folder, page, "<head></head>");
  writeMoved(folder);
  addAddresses(folder, "https://host.example/docs/");
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  expect(read("guides/chat/index.html")).toBe(
    '<head><link rel="canonical" href="https://host.example/docs/guides/chat/"/><meta property="og:url" content="https://host.example/docs/guides/chat/"/><meta property="og:image" content="https://host.example/docs/pictures/learning-light.webp"/></head>',
  );
  expect(read("404.html")).not.toContain("canonical");
  expect(read("sitemap.xml").match(/<loc>.*?<\/loc>/g)).toEqual([
    "<loc>https://host.example/docs/</loc>",
    "<loc>https://host.example/docs/guides/chat/</loc>",
  ]);
  expect(read("robots.txt")).toContain("Sitemap: https://host.example/docs/sitemap.xml\n");
});

it("keeps the path of an address, and names none of its own without one", () => {
  expect(readSite("https://host.example/docs")).toBe("https://host.example/docs/");
  expect(readSite("http://host.example")).toBe("http://host.example/");
  const page = readFileSync(join(dist, "guides/chat/index.html"), "utf8");
  expect(page).not.toMatch(/canonical|og:url|og:image/);
  expect([existsSync(join(dist, "sitemap.xml")), existsSync(join(dist, "robots.txt"))]).toEqual([false, false]);
});
