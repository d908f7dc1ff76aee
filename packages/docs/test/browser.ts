import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { dist } from "../src/places.ts";
import { listen, siteServer } from "../src/serve/server.ts";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser's program; undefined where there is none. `CHROMIUM` names another. */
export const program: string | undefined = [process.env["CHROMIUM"] ?? "", ...places].find((file) => existsSync(file));

// Without these it looks for updates, and for names that no test asks for.
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The pages of the built site, as addresses: `/guides/chat/`. */
export function pages(): string[] {
  return globSync("**/index.html", { cwd: dist })
    .map((file) => `/${file.replaceAll("\\", "/").replace(/index\.html$/, "")}`)
    .toSorted();
}

/** Builds the site where it is missing. `pnpm test` has built it before. */
export async function ensureSite(): Promise<void> {
  if (!existsSync(join(dist, "index.html"))) await import("../src/build/index.ts");
}

/** How long a test waits for what a page is to show, in milliseconds: it only ends what hangs. */
export const patience = 120_000;

export interface Site {
  /** The address of the site, without the last slash. */
  readonly home: string;
  /** The one page of a file's tests: a second one would load, and compile, all scripts anew. */
  readonly page: Page;
  /** What went wrong so far: requests to other places, errors of scripts and of the console, answers above 399. */
  readonly faults: string[];
  /** Opens a page of its own in the same browser, for one test. The test closes it. */
  newPage(options: BrowserContextOptions): Promise<Page>;
}

/** Serves the built site and opens a page in a browser for the tests of a file. */
export function useSite(under = "/"): Site {
  let browser: Browser | undefined;
  let page: Page | undefined;
  let home = "";
  const faults: string[] = [];
  const server = siteServer({ folder: dist, under });
  beforeAll(async () => {
    home = (await listen(server, 0)) + under.replace(/\/$/, "");
    browser = await chromium.launch({ ...(program === undefined ? {} : { executablePath: program }), args: quiet });
    page = await browser.newPage({
      viewport: { width: 1440, height: 1000 },
      reducedMotion: "reduce",
      colorScheme: "light",
    });
    page.setDefaultTimeout(patience);
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${home}/`) && !/^(data|blob):/.test(url)) faults.push(`left the site: ${url}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
    });
    page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
    });
  }, patience);
  beforeEach(() => void (faults.length = 0));
  afterAll(async () => {
    await browser?.close();
    server.close();
    server.closeAllConnections();
  });
  return {
    faults,
    async newPage(options) {
      if (browser === undefined) throw new Error("There is no browser before the tests begin.");
      return browser.newPage({ reducedMotion: "reduce", ...options });
    },
    get home() {
      return home;
    },
    get page() {
      if (page === undefined) throw new Error("There is no page before the tests begin.");
      return page;
    },
  };
}

/** Opens a place of the site. Through an empty page first: a change of what stands behind `#` alone loads nothing. */
export async function open(page: Page, address: string): Promise<void> {
  if (address.includes("#")) await page.goto("about:blank");
  await page.goto(address, { waitUntil: "load" });
}
