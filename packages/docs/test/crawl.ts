import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type axeCore from "axe-core";
import type { Page } from "playwright-core";
import { open, type Site } from "./browser.ts";

/** What was found on a page. */
export interface Found {
  readonly path: string;
  readonly faults: readonly string[];
  readonly foreignLinks: readonly string[];
  /** Width of the page on a screen of 390 pixels. */
  readonly width: number;
  /** How far the layout moved while the page loaded, on the wide screen and on the small one. */
  readonly shifts: readonly number[];
  /** Words of drawings that lie outside of their drawing, in part at least. */
  readonly clipped: readonly string[];
  readonly samples: readonly { readonly file: string; readonly code: string }[];
  /** Breaches of WCAG 2.2 AA and of best practice, by screen and color scheme. */
  readonly breaches: readonly string[];
  /** The directive that a script in the page breaks, and whether it ran. */
  readonly foreignScript: { readonly breaks: string; readonly ran: boolean };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const wide = { width: 1440, height: 1000 };
const small = { width: 390, height: 844 };

/** Goes through pages of the site, once. */
export async function crawl(site: Site, paths: readonly string[]): Promise<Found[]> {
  const { page, faults } = site;
  const found: Found[] = [];
  for (const path of paths) {
    faults.length = 0;
    const breaches: string[] = [];
    const shifts: number[] = [];
    let width = 0;
    for (const screen of [small, wide]) {
      await page.setViewportSize(screen);
      await page.emulateMedia({ colorScheme: "light" });
      await open(page, site.home + path);
      shifts.push(await page.evaluate(readShift));
      if (screen === small) width = await page.evaluate(() => document.documentElement.scrollWidth);
      breaches.push(...(await audit(page, `${screen.width} light`, allRules)));
      await page.emulateMedia({ colorScheme: "dark" });
      // The other scheme has other colors, and nothing else that is other.
      breaches.push(...(await audit(page, `${screen.width} dark`, ["color-contrast"])));
    }
    const parts = await page.evaluate(read);
    const foreignLinks = parts.links.filter((href) => !href.startsWith(site.home));
    const sofar = [...faults];
    // The last thing: what the browser says of it is no fault of the page.
    const foreignScript = await page.evaluate(addScript);
    found.push({
      path,
      samples: parts.samples,
      clipped: parts.clipped,
      foreignLinks,
      width,
      shifts,
      breaches,
      faults: sofar,
      foreignScript,
    });
  }
  return found;
}

/** Runs in the page: the sum of all shifts of its layout so far. */
export function readShift(): Promise<number> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const shifts = list
        .getEntries()
        .map((entry) => ("value" in entry && typeof entry.value === "number" ? entry.value : 0));
      resolve(shifts.reduce((sum, shift) => sum + shift, 0));
    });
    observer.observe({ type: "layout-shift", buffered: true });
    // Without a shift the observer is never called.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
  });
}

/** Runs in the page. */
function read(): { links: string[]; samples: Found["samples"]; clipped: string[] } {
  return {
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
    // What looked at the page before may have broken the policy as well, by a style or by evaluating text.
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      if (effectiveDirective.startsWith("script-src") && blockedURI === "inline") resolve(effectiveDirective);
    }),
  );
  const script = document.createElement("script");
  script.textContent = "document.title = 'ran'";
  document.head.append(script);
  return document.title === "ran" ? { breaks: "nothing", ran: true } : { breaks: await blocked, ran: false };
}

const allRules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function audit(page: Page, what: string, rules: string[]): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.evaluate(axe);
  const { violations } = await page.evaluate(async (runOnly): Promise<Pick<axeCore.AxeResults, "violations">> => {
    const scope: typeof globalThis & { axe?: typeof axeCore } = globalThis;
    if (scope.axe === undefined) throw new Error("axe is not there.");
    return scope.axe.run({ runOnly, resultTypes: ["violations"] });
  }, rules);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${what} ${id}: ${html.slice(0, 200)} ${failureSummary?.replaceAll(/\s+/g, " ") ?? ""}`,
    ),
  );
}
