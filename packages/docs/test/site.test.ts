import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { dist, samples } from "../src/places.ts";
import { documents, operationsOf, type Document } from "../src/reference/document.ts";
import { objectAt } from "../src/reference/json.ts";
import { sampleName } from "../src/reference/samples.ts";
import { ensureSite, open, pages, program, useSite } from "./browser.ts";
import { crawl, everyPlace, fewPlaces, type Found } from "./crawl.ts";

await ensureSite();

/** `pnpm test:site` looks at everything; without it, a few pages of each kind are looked at. */
const whole = process.env["SITE"] === "whole";

function placesOf(document: Document): string[] {
  const operations = operationsOf(document);
  const schemas = Object.keys(objectAt(objectAt(document.read(), "components"), "schemas"));
  return [
    "/",
    "/schemas",
    ...operations.map(({ tag }) => `/${tag}`),
    ...operations.map(({ anchor }) => anchor),
    ...schemas.map((name) => `/schemas/${name.toLowerCase()}`),
  ];
}

/** What was picked stays picked, so TypeScript comes last. */
const languages = [
  ["curl", "sh"],
  ["Python", "py"],
  ["TypeScript", "ts"],
] as const;

function textOf(service: string, method: string, ending: string): string {
  return readFileSync(join(samples, service, `${sampleName(method)}.${ending}`), "utf8").trimEnd();
}

/** Opens the n-th fold of a field. Redoc may draw the schema anew meanwhile, and close it. */
async function unfold(field: Locator, nth = 0): Promise<void> {
  const fold = field.locator("[data-schema-nested-open]").nth(nth);
  const state = (): Promise<string | null> => fold.getAttribute("data-schema-nested-open");
  await expect
    .poll(async () => {
      if ((await state()) === "false") await fold.locator("button").first().click();
      return state();
    })
    .toBe("true");
}

/** What Redoc does and no style sheet can mend, one by one. */
const upstream: readonly RegExp[] = [
  // Its menus show what is picked, and are called by what they are for.
  /label-content-name-mismatch: <button [^>]*aria-label="(Example|Discriminator|Response media type)"/,
  // The handles of a JSON sample are as high as its lines.
  /target-size: <button [^>]*aria-label="(collapse|expand)"/,
  // So are the links beside the names of fields, which show when pointed at.
  /target-size: <a [^>]*aria-label="link to /,
];

describe.skipIf(program === undefined)("in a browser, every page", () => {
  // In a folder of a host, where every address has to be right by itself.
  const site = useSite("/some/place/");
  let all: Found[] = [];
  beforeAll(async () => void (all = await crawl(site, whole ? everyPlace() : fewPlaces)), 600_000);

  it("asks no other place and has no error", () => {
    expect(all.flatMap(({ path, faults }) => faults.map((fault) => `${path} ${fault}`))).toEqual([]);
    expect(all.length).toBeGreaterThan(whole ? 30 : 3);
  });

  it("has no broken link", () => {
    const ids = new Map<string, Set<string>>();
    for (const found of all) ids.set(found.path, new Set(found.ids));
    // Behind `#` in a reference stand its tags, operations and schemas.
    for (const document of documents())
      ids.set(`/reference/${document.service}/`, new Set(["_top", ...placesOf(document)]));
    const broken = all.flatMap(({ path, links }) =>
      links
        .filter(({ href }) => href.startsWith(`${site.home}/`) && !leads(href, ids))
        .map(({ href }) => `${path}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  function leads(href: string, ids: ReadonlyMap<string, ReadonlySet<string>>): boolean {
    const [path = "", hash = ""] = href.slice(site.home.length).split(/#(.*)/s);
    const anchor = decodeURIComponent(hash).replace(/#.*$/, "");
    const known = ids.get(path);
    const file = join(dist, decodeURI(path), path.endsWith("/") ? "index.html" : "");
    return existsSync(file) && (anchor === "" || known === undefined || known.has(anchor));
  }

  it("shows no link to another place", () => {
    const foreign = all.flatMap(({ path, links }) =>
      links.filter(({ href, shown }) => shown && !href.startsWith(site.home)).map(({ href }) => `${path}: ${href}`),
    );
    expect(foreign).toEqual([]);
  });

  it("fits a small screen", () => {
    expect(all.filter(({ width }) => width > 390).map(({ path, width }) => `${path}: ${width}`)).toEqual([]);
  });

  it("keeps WCAG 2.2 AA, light and dark", () => {
    const breaches = all.flatMap(({ path, breaches: own }) => own.map((breach) => `${path} ${breach}`));
    expect(breaches.filter((breach) => !upstream.some((known) => known.test(breach)))).toEqual([]);
  });

  it("shows samples as their files are", () => {
    const shown = new Map<string, string>();
    for (const { path, samples: own } of all)
      if (path.startsWith("/guides/")) for (const { file, code } of own) shown.set(file, code);
    const files = [...shown.keys()].map((file) => [file, readFileSync(join(samples, file), "utf8").trimEnd()]);
    expect([...shown]).toEqual(files);
    expect(shown.size).toBeGreaterThan(whole ? 12 : 2);
  });

  it("runs no script that its policy does not name", () => {
    const answers = all.map(({ path, foreignScript }) => ({ path, ...foreignScript }));
    expect(answers).toEqual(all.map(({ path }) => ({ path, breaks: "script-src-elem", ran: false })));
  });

  describe.each(documents().slice(0, whole ? undefined : 1))("the reference of $service", (document) => {
    it("has a place for each operation, with samples and a basis", { timeout: 300_000 }, async () => {
      const { page, faults } = site;
      let first = true;
      const operations = operationsOf(document);
      for (const { summary, anchor, method, basis } of whole ? operations : operations.slice(0, 1)) {
        await open(page, `${site.home}/reference/${document.service}/#${anchor}`);
        const section = page.locator(`[data-section-id="${anchor}"]`);
        const heading = section.locator("h2").first();
        await expect.poll(() => heading.textContent()).toContain(summary);
        // Scrolled to, and below the header.
        await expect.poll(async () => (await heading.boundingBox())?.y).toSatisfy((y: number) => y > 40 && y < 600);
        const badge = await section.locator("[class*=tag-basis]").first().textContent();
        expect({ anchor, basis: badge }).toEqual({ anchor, basis });
        // An alias has no sample, and a new service may have none yet.
        if (method === undefined || !existsSync(join(samples, document.service))) continue;
        const panel = section.locator(".panel-request-samples");
        const shown = async (): Promise<unknown> =>
          (await panel.locator("[data-testid=source-code]").first().textContent())?.trimEnd();
        if (first) expect(await shown()).toBe(textOf(document.service, method, "ts"));
        first = false;
        for (const [label, ending] of languages) {
          await panel.locator("button[aria-haspopup=menu]").nth(1).click();
          // Redoc's menu can open below the screen, where a mouse would have to scroll first.
          await page.getByRole("menuitem", { name: label }).dispatchEvent("click");
          await expect.poll(shown).toBe(textOf(document.service, method, ending));
        }
      }
      expect(faults).toEqual([]);
    });
  });

  it("shows the union of messages four levels deep", { timeout: 300_000 }, async () => {
    const { page } = site;
    await open(page, `${site.home}/reference/training/#/models/models.log`);
    const section = page.locator('[data-section-id="/models/models.log"]');
    const field = (path: string): Locator => section.locator(`[id$="/t=request&path=${path}"]`);
    await unfold(field("trajectory_groups"));
    await unfold(field("trajectory_groups[]/trajectories"));
    const messages = field("trajectory_groups[]/trajectories[]/messages_and_choices");
    // A message, its role, its parts, an image.
    await unfold(messages);
    await unfold(messages, 1);
    await messages.getByRole("button", { name: "developer", exact: true }).click();
    await page.getByRole("menuitem", { name: "user", exact: true }).click();
    await messages.getByRole("tab", { name: "Parts" }).click();
    await unfold(messages, 2);
    await messages.getByRole("tab", { name: "image_url" }).click();
    await unfold(messages, 3);
    await expect.poll(() => messages.textContent()).toContain("How finely the model looks at the image");
  });

  it("finds operations of each service, and guides, by its search", { timeout: 300_000 }, async () => {
    const { page, faults } = site;
    await open(page, `${site.home}/guides/chat/`);
    for (const [words, place] of [
      ["log trajectories", "/reference/training/#/models/models.log"],
      ["system check", "/reference/training/#/health/health.systemcheck"],
      ["list models", "/reference/inference/#/models/models.list"],
      ["hardware", "/reference/auxiliary/#/hardware/hardware.list"],
      ["trainingJobs.createSft", "/reference/training/#/training-jobs/trainingjobs.createsft"],
      ["without the services", "/guides/testing/"],
      ["idempotency", "/guides/retries/"],
    ] as const) {
      await page.keyboard.press("/");
      await page.keyboard.type(words);
      await expect
        .poll(() =>
          page.$$eval(
            "[role=option] a",
            (links, home) =>
              links.map((link) =>
                link instanceof HTMLAnchorElement ? link.href.replace(home, "").replace(/#(?!\/).*/, "") : "",
              ),
            site.home,
          ),
        )
        .toContain(place);
      await page.keyboard.press("Escape");
    }
    expect(faults).toEqual([]);
  });

  it("has one search, in guides and references alike, that needs no mouse", { timeout: 300_000 }, async () => {
    const { page, faults } = site;
    await open(page, `${site.home}/reference/inference/`);
    const dialog = page.locator("dialog[open]");
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
});

it("each document can be had by its version", () => {
  for (const { service, version, json, yaml } of documents()) {
    const folder = join(dist, "openapi", service, version);
    expect(readFileSync(join(folder, "openapi.json"), "utf8")).toBe(json);
    expect(readFileSync(join(folder, "openapi.yaml"), "utf8")).toBe(yaml);
  }
});

it("each page has its Markdown, and llms.txt names it", () => {
  const list = readFileSync(join(dist, "llms.txt"), "utf8");
  const twins = pages().map((path) => (path === "/" ? "index.md" : `${path.slice(1, -1)}.md`));
  expect(twins.filter((twin) => readFileSync(join(dist, twin), "utf8").length < 200)).toEqual([]);
  expect(twins.filter((twin) => twin !== "index.md" && !list.includes(`(${twin})`))).toEqual([]);
  const targets = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target ?? "");
  expect(targets.filter((target) => !existsSync(join(dist, target)))).toEqual([]);
});
