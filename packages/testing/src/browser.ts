import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axeCore from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";

export type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";

const candidates = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of the browser; undefined if there is none. `CHROMIUM` overrides it. */
export const program: string | undefined = [process.env["CHROMIUM"] ?? "", ...candidates].find((file) =>
  existsSync(file),
);

// Without these flags the browser looks for updates and resolves names on its own.
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a browser that does not look for updates. */
export function launch(): Promise<Browser> {
  return chromium.launch({ ...(program !== undefined && { executablePath: program }), args: quiet });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** WCAG 2.2 AA and best practice. */
export const allRules: readonly string[] = "wcag2a wcag2aa wcag21a wcag21aa wcag22a wcag22aa best-practice".split(" ");

/** Checks the accessibility of a page. @param rules tags or names of axe's rules */
export async function breachesOf(page: Page, rules: readonly string[] = allRules): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  // Not as a script element: the page's policy allows no foreign scripts.
  if (!isThere) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    async (runOnly): Promise<Pick<axeCore.AxeResults, "violations">> => {
      const scope: typeof globalThis & { axe?: typeof axeCore } = globalThis;
      if (scope.axe === undefined) throw new Error("axe is not loaded.");
      return scope.axe.run({ runOnly, resultTypes: ["violations"] });
    },
    [...rules],
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary?.replaceAll(/\s+/g, " ") ?? ""}`,
    ),
  );
}
