import { breachesOf, type Page } from "@trainyard/testing/browser";
import { open, type WatchedPage } from "./browser.ts";

/** The results of a page. */
export interface Found {
  readonly path: string;
  readonly faults: readonly string[];
  readonly foreignLinks: readonly string[];
  /** Width of the page on a screen of 390 pixels. */
  readonly width: number;
  /** How far the layout shifted while the page loaded, on the wide screen and on the small one. */
  readonly shifts: readonly number[];
  /** Text of drawings that is partly or fully outside of its drawing. */
  readonly clipped: readonly string[];
  readonly samples: readonly { readonly file: string; readonly code: string }[];
  /** Violations of WCAG 2.2 AA and of best practice, by screen and color scheme. */
  readonly breaches: string[];
  /** The kinds of its elements: by name, classes, and the properties of inline styles. */
  readonly kinds: readonly string[];
  /** The directive that an inline script of this test violates, and whether the script ran. */
  readonly foreignScript: { readonly breaks: string; readonly ran: boolean };
}

const wide = { width: 1440, height: 1000 };
const small = { width: 390, height: 844 };

/**
 * Tests pages of the site. Each page is opened on both screens, and audited by all rules on the wide one. The dark scheme and
 * the small screen have the same elements with other colors and widths, so only a sample of pages is audited there. Together,
 * these pages have every kind of element. One program generates the pages of the references, so most of them add nothing new.
 *
 * @param views the pages of the browser that share the work
 * @param sampled the pages that are audited in the dark scheme and on the small screen
 */
export async function crawl(
  home: string,
  views: readonly WatchedPage[],
  paths: readonly string[],
  sampled: (found: readonly Found[]) => string[] = sampleOf,
): Promise<Found[]> {
  const found = await shared(views, paths, (view, path) => look(view, home, path));
  const sample = sampled(found);
  const more = await shared(views, sample, ({ page }, path) => auditOtherwise(page, home + path));
  for (const [at, breaches] of more.entries())
    found.find(({ path }) => path === sample[at])?.breaches.push(...breaches);
  return found;
}

/** What is done for each item, in their order, by several views at a time. */
async function shared<T>(
  views: readonly WatchedPage[],
  paths: readonly string[],
  work: (view: WatchedPage, path: string) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const queue = paths.entries();
  await Promise.all(
    views.map(async (view) => {
      for (const [at, path] of queue) results[at] = await work(view, path);
    }),
  );
  return results;
}

async function look({ page, faults }: WatchedPage, home: string, path: string): Promise<Found> {
  faults.length = 0;
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(small);
  await open(page, home + path);
  const shifts = [await page.evaluate(readShift)];
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  await page.setViewportSize(wide);
  await open(page, home + path);
  shifts.push(await page.evaluate(readShift));
  const breaches = named("1440 light", await breachesOf(page));
  const { links, ...parts } = await page.evaluate(read);
  const sofar = [...faults];
  // This comes last: the browser's message about it is not an error of the page.
  const foreignScript = await page.evaluate(addScript);
  return {
    ...parts,
    path,
    foreignLinks: links.filter((href) => !href.startsWith(home)),
    width,
    shifts,
    breaches,
    faults: sofar,
    foreignScript,
  };
}

/** Audits a page in the dark scheme and on the small screen. */
async function auditOtherwise(page: Page, address: string): Promise<string[]> {
  const breaches: string[] = [];
  for (const screen of [small, wide]) {
    await page.setViewportSize(screen);
    await page.emulateMedia({ colorScheme: "light" });
    await open(page, address);
    if (screen === small) breaches.push(...named("390 light", await breachesOf(page)));
    await page.emulateMedia({ colorScheme: "dark" });
    // The other scheme changes only colors.
    breaches.push(...named(`${screen.width} dark`, await breachesOf(page, ["color-contrast"])));
  }
  return breaches;
}

function named(what: string, breaches: readonly string[]): string[] {
  return breaches.map((breach) => `${what} ${breach}`);
}

/** A small set of pages that together have each kind of element. */
export function sampleOf(found: readonly Pick<Found, "path" | "kinds">[]): string[] {
  const sample: string[] = [];
  const missing = new Set(found.flatMap(({ kinds }) => kinds));
  while (missing.size > 0) {
    const news = ({ kinds }: Pick<Found, "kinds">) => kinds.filter((kind) => missing.has(kind)).length;
    const next = found.reduce((best, page) => (news(page) > news(best) ? page : best));
    sample.push(next.path);
    for (const kind of next.kinds) missing.delete(kind);
  }
  return sample;
}

/** Runs in the page: returns the sum of all layout shifts so far. */
function readShift(): Promise<number> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const shifts = list
        .getEntries()
        .map((entry) => ("value" in entry && typeof entry.value === "number" ? entry.value : 0));
      resolve(shifts.reduce((sum, shift) => sum + shift, 0));
    });
    observer.observe({ type: "layout-shift", buffered: true });
    // Without a shift, the observer is never called.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
  });
}

/** Runs in the page. */
function read(): Pick<Found, "samples" | "clipped" | "kinds"> & { links: string[] } {
  const kindOf = (element: Element) =>
    `${element.localName} ${element.getAttribute("class") ?? ""} ${(element.getAttribute("style") ?? "").replaceAll(/-?[\d.]+(px|%|em|rem)/g, "")}`;
  return {
    kinds: [...new Set([...document.body.querySelectorAll("*")].map(kindOf))],
    links: [...document.querySelectorAll("a[href]")]
      .filter((link) => link.checkVisibility())
      .map((link) => (link instanceof HTMLAnchorElement ? link.href : "")),
    clipped: [...document.querySelectorAll<SVGTextElement>(".picture svg text")]
      .filter((text) => {
        const { x, width } = text.getBBox();
        return x < 0 || x + width > (text.ownerSVGElement?.viewBox.baseVal.width ?? 0);
      })
      .map((text) => text.textContent ?? ""),
    samples: [...document.querySelectorAll("figure:has(.title:not(:empty))")].map((frame) => ({
      file: frame.querySelector(".title")?.textContent ?? "",
      code: [...frame.querySelectorAll(".ec-line")]
        .map((line) => (line.textContent ?? "").replace(/\n$/, ""))
        .join("\n"),
    })),
  };
}

/** Runs in the page. */
async function addScript(): Promise<Found["foreignScript"]> {
  const blocked = new Promise<string>((resolve) =>
    // The code that examined the page before may have violated the policy as well, by a style or by evaluating text.
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      if (effectiveDirective.startsWith("script-src") && blockedURI === "inline") resolve(effectiveDirective);
    }),
  );
  const script = document.createElement("script");
  script.textContent = "document.title = 'ran'";
  document.head.append(script);
  return document.title === "ran" ? { breaks: "nothing", ran: true } : { breaks: await blocked, ran: false };
}
