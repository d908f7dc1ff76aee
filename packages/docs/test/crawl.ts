import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type axeCore from "axe-core";
import type { Page } from "playwright-core";
import { open, pages, type Site } from "./browser.ts";

/** What was found on a page, or at a place of a reference. */
export interface Found {
  readonly path: string;
  readonly faults: readonly string[];
  readonly ids: readonly string[];
  readonly links: readonly { readonly href: string; readonly shown: boolean }[];
  /** Width of the page on a screen of 390 pixels. */
  readonly width: number;
  readonly samples: readonly { readonly file: string; readonly code: string }[];
  /** Breaches of WCAG 2.2 AA, by color scheme. */
  readonly breaches: readonly string[];
  /** The directive that a script in the page breaks, and whether it ran. */
  readonly foreignScript: { readonly breaks: string; readonly ran: boolean };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Three places of each reference, beside its landing. */
const deep = [
  "/reference/training/#/models/models.log",
  "/reference/training/#/training-jobs/trainingjobs.events.list",
  "/reference/training/#/schemas/trajectory",
  "/reference/inference/#/chat-completions/chat.completions.create",
  "/reference/inference/#/models/models.list",
  "/reference/inference/#/schemas/chatcompletionchunk",
  "/reference/auxiliary/#/feedback/feedback.stats",
  "/reference/auxiliary/#/objects/objects.read",
  "/reference/auxiliary/#/hardware/hardware.list",
];

/** Every page, and the places above. */
export const everyPlace = (): string[] => [...pages(), ...deep];

/** One page of each kind, and what is deepest. */
export const fewPlaces: readonly string[] = [
  "/",
  "/guides/chat/",
  "/contract/basis/",
  "/reference/training/#/schemas/trajectory",
];

/** Goes through places of the site, once. */
export async function crawl(site: Site, places: readonly string[]): Promise<Found[]> {
  const { page, faults } = site;
  const found: Found[] = [];
  for (const path of places) {
    faults.length = 0;
    await open(page, site.home + path);
    const [, anchor] = path.split("#");
    if (anchor !== undefined) await page.waitForSelector(`[data-section-id="${anchor}"] h2`);
    const breaches = [...(await audit(page, "light")), ...(await audit(page, "dark"))];
    const parts = await page.evaluate(read);
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    await page.setViewportSize({ width: 1440, height: 1000 });
    const sofar = [...faults];
    // The last thing: what the browser says of it is no fault of the page.
    const foreignScript = await page.evaluate(addScript);
    found.push({ path, ...parts, width, breaches, faults: sofar, foreignScript });
  }
  return found;
}

/** Runs in the page. */
function read(): Pick<Found, "ids" | "links" | "samples"> {
  return {
    ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
    links: [...document.querySelectorAll("a[href]")].map((link) => ({
      href: link instanceof HTMLAnchorElement ? link.href : "",
      shown: link.checkVisibility(),
    })),
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

async function audit(page: Page, scheme: "light" | "dark"): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme });
  if (scheme === "light") await page.evaluate(axe);
  // The other scheme has other colors, and nothing else that is other.
  const rules = scheme === "light" ? ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] : ["color-contrast"];
  const { violations } = await page.evaluate(async (runOnly): Promise<Pick<axeCore.AxeResults, "violations">> => {
    const scope: typeof globalThis & { axe?: typeof axeCore } = globalThis;
    if (scope.axe === undefined) throw new Error("axe is not there.");
    return scope.axe.run({ runOnly, resultTypes: ["violations"] });
  }, rules);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${scheme} ${id}: ${html.slice(0, 200)} ${failureSummary?.replaceAll(/\s+/g, " ") ?? ""}`,
    ),
  );
}
