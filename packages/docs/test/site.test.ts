import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { dist, samples } from "../src/places.ts";
import { SearchIndex } from "../src/components/search-index.ts";
import { operationAddress } from "../src/reference/addresses.ts";
import type { SearchRecord } from "../src/reference/records.ts";
import { sampleName } from "../src/reference/samples.ts";
import { services } from "../src/reference/services.ts";
import { readHome } from "@trainyard/release/home";
import { program } from "@trainyard/testing/browser";
import { movedParts } from "./arrival.ts";
import { ensureSite, open, pages, useSite } from "./browser.ts";
import { crawl, type Found } from "./crawl.ts";
import { names, queries } from "./queries.ts";

await ensureSite();

/** Set by `pnpm exec vitest run --project site`, which tests every page, also in the dark scheme; otherwise, three are tested. */
const isWhole = process.env["SITE"] !== undefined;
const createRl = "/reference/training/trainingJobs.createRl/";
const samplePages = ["/guides/chat/", "/concepts/training/", "/reference/inference/models.list/"];

describe.skipIf(program === undefined)("in a browser, every page", () => {
  // The site is in a folder of the host, so an address that is not relative would fail.
  const site = useSite("/some/place/");
  let all: Found[] = [];
  beforeAll(async () => {
    const second = isWhole ? await site.watchedPage() : undefined;
    all = await (second === undefined
      ? crawl(site.home, [site], samplePages, () => [])
      : crawl(site.home, [site, second], pages()));
    await second?.page.context().close();
  }, 3_600_000);

  it("requests nothing from other hosts and has no error", () => {
    expect(all.flatMap(({ path, faults }) => faults.map((fault) => `${path} ${fault}`))).toEqual([]);
    expect(all.length).toBeGreaterThan(isWhole ? 150 : 2);
  });

  it("has no link to another host, except to its own repository", () => {
    const isForeign = (href: string) => !href.startsWith(`${readHome()}/`);
    const links = all.flatMap(({ path, foreignLinks }) =>
      foreignLinks.filter(isForeign).map((href) => `${path}: ${href}`),
    );
    expect(links).toEqual([]);
  });

  it("fits on a small screen", () => {
    expect(all.filter(({ width }) => width > 390).map(({ path, width }) => `${path}: ${width}`)).toEqual([]);
  });

  it("keeps the text of each drawing inside it", () => {
    expect(all.flatMap(({ path, clipped }) => clipped.map((words) => `${path}: ${words}`))).toEqual([]);
  });

  it("does not shift while it loads", () => {
    expect(
      all.filter(({ shifts }) => Math.max(...shifts) > 0.02).map(({ path, shifts }) => `${path}: ${shifts.join()}`),
    ).toEqual([]);
  });

  it(`follows WCAG 2.2 AA and best practice${isWhole ? ", light and dark, on both screens" : ""}`, () => {
    expect(all.flatMap(({ path, breaches }) => breaches.map((breach) => `${path} ${breach}`))).toEqual([]);
  });

  it("shows samples unchanged", () => {
    const shown = new Map<string, string>();
    for (const { path, samples: own } of all)
      // Other titles are files of the root, and the places of commands.
      if (path.startsWith("/guides/")) for (const { file, code } of own) if (file.includes("/")) shown.set(file, code);
    // Comments for our own checks are not shown.
    const textOf = (file: string) =>
      readFileSync(join(samples, file), "utf8")
        .replaceAll(/^\/\/ @boundaries-ignore.*\n/gm, "")
        .trimEnd();
    const files = [...shown.keys()].map((file) => [file, textOf(file)]);
    expect([...shown]).toEqual(files);
    expect(shown.size).toBeGreaterThan(isWhole ? 12 : 2);
  });

  it("runs no script that its policy does not allow", () => {
    const answers = all.map(({ path, foreignScript }) => ({ path, ...foreignScript }));
    expect(answers).toEqual(all.map(({ path }) => ({ path, breaks: "script-src-elem", ran: false })));
  });

  it("has each part in its place before the rest of the page arrives", { tags: ["long"] }, async () => {
    const more = [
      "/",
      "/guides/watch/",
      "/contract/basis/",
      "/reference/training/",
      "/reference/training/models.checkpoints.list/",
    ];
    const paths = isWhole ? [...samplePages, ...more, createRl] : [createRl];
    for (const path of paths) expect(await movedParts(site, path)).toEqual([]);
  });

  it("opens the target of a link to a field, and prints everything, without a script", { tags: ["long"] }, async () => {
    const page = await site.newPage({ viewport: { width: 1440, height: 1000 }, javaScriptEnabled: false });
    for (const id of [
      "UserMessage.content",
      "Trajectory.reward",
      "ImageUrl.detail",
      "ExperimentalTrainingConfig.loss_fn",
    ]) {
      await page.goto("about:blank");
      await page.goto(`${site.home}${createRl}#${id}`, { waitUntil: "load" });
      const box = await page.locator(`[id="${id}"] .name`).first().boundingBox();
      expect({ id, isInView: box !== null && box.y > 40 && box.y < 900 }).toEqual({ id, isInView: true });
    }
    await page.emulateMedia({ media: "print" });
    const fields = page.locator(".reference .said li[id] > .line > .name");
    const count = await fields.count();
    expect(count).toBeGreaterThan(150);
    const boxes = await Promise.all([...Array(count).keys()].map((index) => fields.nth(index).boundingBox()));
    expect(boxes.filter((box) => box === null || box.height === 0)).toEqual([]);
    await page.context().close();
  });

  it("shows each sample of an operation unchanged", { tags: ["long"] }, async () => {
    const { page } = site;
    for (const service of services()) {
      const { operations } = service.document;
      const own = operations.filter(({ aliasOf }) => aliasOf === undefined);
      for (const operation of isWhole ? own : own.slice(0, 1)) {
        await open(page, site.home + operationAddress(service, operation));
        expect(await page.locator("h1").textContent()).toBe(operation.summary);
        const shown = await page.$$eval(".samples details", (tabs) =>
          tabs.map((tab) =>
            [...tab.querySelectorAll(".ec-line")].map((line) => (line.textContent ?? "").replace(/\n$/, "")).join("\n"),
          ),
        );
        const files = ["ts", "sh", "py"]
          .map((ending) => join(samples, service.name, `${sampleName(operation.name)}.${ending}`))
          .filter((file) => existsSync(file));
        expect(shown).toEqual(files.map((file) => readFileSync(file, "utf8").trimEnd()));
      }
    }
  });

  it("has the same search in guides and references, which works without a mouse", async () => {
    const { page, faults } = site;
    await open(page, `${site.home}/reference/inference/`);
    const dialog = page.locator("dialog[open]");
    // With Caps Lock on, the key is an upper case letter.
    await page.evaluate(() => dispatchEvent(new KeyboardEvent("keydown", { key: "K", ctrlKey: true })));
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await dialog.waitFor();
    await page.keyboard.type("chat and streaming");
    await page.waitForSelector("[role=option][aria-selected=true]");
    await page.keyboard.press("ArrowDown");
    expect(await page.locator("[role=option]").nth(1).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/some\/place\/guides\/chat\//);
    expect(await page.locator("h1").textContent()).toBe("Chat and streaming");
    expect(faults).toEqual([]);
  });

  it("marks only what is proposed, never alone on a line, and remembers the switch", async () => {
    const page = await site.newPage({});
    await page.goto(`${site.home}/reference/training/models.log/`);
    const shown = () =>
      page.$$eval(".reference .basis", (marks) =>
        marks.filter((mark) => getComputedStyle(mark).display !== "none").map((mark) => mark.textContent),
      );
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.$$eval(".reference .basis.proposed", readLonely)).toEqual([]);
    }
    const marks = await shown();
    expect(new Set(marks)).toEqual(new Set(["proposed"]));
    expect(marks.length).toBeLessThanOrEqual(18);
    await page.getByLabel("Show sources").check();
    await page.goto(`${site.home}/reference/training/models.create/`);
    expect(new Set(await shown())).toEqual(new Set(["proposed", "adopted", "interface"]));
    await page.context().close();
  });

  it("copies a page as Markdown, and the URL of an operation", { tags: ["long"] }, async () => {
    const page = await site.newPage({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${site.home}/reference/training/models.log/`);
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await page.getByText("Copied.").waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toBe(readFileSync(join(dist, "reference/training/models.log.md"), "utf8"));
    expect(text).not.toContain("Copy URL");
    await page.getByRole("button", { name: "Copy URL" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe("http://127.0.0.1:4010/v1/preview/models/{model_id}/log");
    await page.context().close();
  });
});

describe("the search", async () => {
  const records: SearchRecord[] = JSON.parse(readFileSync(join(dist, "search.json"), "utf8"));
  const index = await SearchIndex.of(records);
  const addressesOf = (term: string) => index.find(term).results.map(({ url }) => url);

  it("finds what people search for", () => {
    const missed = (list: typeof queries, count: number) =>
      list.filter(
        ([term, right]) =>
          !addressesOf(term)
            .slice(0, count)
            .some((url) => right.test(url)),
      );
    expect(missed(names, 1)).toEqual([]);
    expect(names.length + queries.length).toBeGreaterThanOrEqual(120);
    expect(missed(queries, 1).map(([term]) => term)).toSatisfy((all: string[]) => all.length <= 8);
    expect(missed(queries, 3).map(([term]) => term)).toSatisfy((all: string[]) => all.length <= 2);
  });

  it("has each exact name first", () => {
    const named = records.filter(
      ({ kind, url }) => /^(operation|schema|field|error)$/.test(kind) && !url.includes("/local/"),
    );
    const plain = (text: string) => text.toLowerCase().replaceAll(/[\s_.]/g, "");
    const wrong = named.filter(({ title, kind, name = title }, at) => {
      const term = kind === "operation" ? name : title;
      const first = at % 7 === 0 ? index.find(term).results[0]?.title : title;
      return first === undefined || ![title, name].map(plain).includes(plain(first));
    });
    expect(named.length).toBeGreaterThan(500);
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  it.each([
    ["trajctory", "No page has “trajctory”. Results for “trajectory”."],
    ["fake", "No page has “fake”. Results for “mock”."],
    ["delete qxzjv checkpoints", "No page has “qxzjv”. Results for “delete checkpoints”."],
    ["qxzjv", "No page has “qxzjv”."],
    ["delete checkpoints", ""],
  ])("says what it did with “%s”", (term, note) => expect(index.find(term).note).toBe(note));

  it("leads to headings that have an id", () => {
    const lost = records.filter(({ sections = [] }) => sections.some(({ id }) => id === "undefined"));
    expect(lost.map(({ url }) => url)).toEqual([]);
  });

  it("shows nothing else for what no page has", () => expect(addressesOf("qxzjv wwkkq")).toEqual([]));

  it("shows plain words", () => {
    const shown = queries.flatMap(([term]) => index.find(term).results.map(({ excerpt }) => excerpt));
    expect(shown.filter((text) => /[`*]|\((?:proposed|adopted|interface)\)/.test(text))).toEqual([]);
  });
});

it("no page of the reference is above 30 kB", () => {
  const large = globSync("reference/**/index.html", { cwd: dist })
    .map((file) => ({ file, size: gzipSync(readFileSync(join(dist, file))).length }))
    .filter(({ size }) => size > 30_000);
  expect(large).toEqual([]);
});

/** Runs in the page: the marks that begin a line. */
function readLonely(marks: Element[]): string[] {
  const visible = marks.filter((mark) => mark.checkVisibility() && mark.getClientRects().length > 0);
  const lonely = visible.filter((mark) => {
    const range = document.createRange();
    range.setStart(mark.parentNode ?? mark, 0);
    range.setEndBefore(mark);
    const before = [...range.getClientRects()].filter(({ width }) => width > 1);
    const [{ top, bottom } = new DOMRect()] = mark.getClientRects();
    return !before.some((box) => box.bottom > top + 2 && box.top < bottom - 2);
  });
  return lonely.map((mark) => mark.parentElement?.textContent ?? "");
}

it("each document can be downloaded by its version", () => {
  for (const { name, document, json, yaml } of services()) {
    const folder = join(dist, "openapi", name, document.version);
    expect(readFileSync(join(folder, "openapi.json"), "utf8")).toBe(json);
    expect(readFileSync(join(folder, "openapi.yaml"), "utf8")).toBe(yaml);
  }
});

it("each page has its Markdown, and llms.txt names the guides and operations", () => {
  const list = readFileSync(join(dist, "llms.txt"), "utf8");
  const twins = pages().map((path) => (path === "/" ? "index.md" : `${path.slice(1, -1)}.md`));
  expect(twins.filter((twin) => readFileSync(join(dist, twin), "utf8").length < 60)).toEqual([]);
  // These are lists themselves.
  const lists = new Set(["index.md", "guides.md", "reference.md"]);
  const named = twins.filter((twin) => !twin.startsWith("reference/") && !lists.has(twin));
  expect(named.filter((twin) => !list.includes(`(${twin})`))).toEqual([]);
  for (const service of services()) {
    for (const operation of service.document.operations.filter(({ clientMethod }) => clientMethod !== undefined)) {
      expect(list).toContain(`(${operationAddress(service, operation).slice(1, -1)}.md)`);
    }
  }
  const targets = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target ?? "");
  expect(targets.filter((target) => !existsSync(join(dist, target)))).toEqual([]);
});
