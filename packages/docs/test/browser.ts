import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launch, type Browser, type BrowserContextOptions, type Page } from "@trainyard/testing/browser";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { dist } from "../src/places.ts";
import { services } from "../src/reference/services.ts";
import { moved } from "../src/build/addresses.ts";
import { serveSite, type SiteServer } from "../src/serve/server.ts";

/** The pages of the built site, as addresses: `/guides/chat/`. Without those that moved. */
export const pages = (): string[] =>
  globSync("**/index.html", { cwd: dist })
    .map((file) => `/${file.replaceAll("\\", "/").replace(/index\.html$/, "")}`)
    .filter((address) => !(address in moved))
    .toSorted();

/**
 * Builds the site if it does not exist. In `pnpm test`, it was built before.
 * @throws if it was built from other documents, about which every other test would fail at length
 */
export async function ensureSite(): Promise<void> {
  if (!existsSync(join(dist, "index.html"))) return void (await import("../src/build/index.ts"));
  for (const { name, document, json } of services()) {
    const file = join(dist, "openapi", name, document.version, "openapi.json");
    if (existsSync(file) && readFileSync(file, "utf8") === json) continue;
    throw new Error(
      `The built site is older than the document of ${name}. Build it with: npx -y pnpm@12 run docs build`,
    );
  }
}

/** Milliseconds that a test waits for something on a page. It only ends tests that hang. */
export const patience = 120_000;

/** A page, its requests, and its errors: requests to other hosts, errors of scripts and the console, statuses above 399. */
export interface WatchedPage {
  readonly page: Page;
  /** Paths below the site. */
  readonly loaded: readonly string[];
  readonly faults: string[];
}

export interface Site extends WatchedPage {
  /** The address of the site, without the last slash. */
  readonly home: string;
  /** The page that all tests of a file use: another page would load and compile all scripts again. */
  readonly page: Page;
  readonly browser: Browser;
  /** Opens another page in the same browser, for one test. The test closes it. */
  newPage(options: BrowserContextOptions): Promise<Page>;
  /** Opens a page whose errors are recorded. The test closes it. */
  watchedPage(): Promise<WatchedPage>;
}

/** Serves the built site below a path, and opens a page in a browser for the tests of a file. */
export function useSite(under = "/", start: () => Promise<Browser> = launch): Site {
  let browser: Browser | undefined;
  let watched: WatchedPage | undefined;
  let server: SiteServer | undefined;
  let home = "";
  const known = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error("The browser starts before the first test. Read this inside a test.");
    return value;
  };
  const watchedPage = async (): Promise<WatchedPage> => {
    const context = await known(browser).newContext({
      viewport: { width: 1440, height: 1000 },
      reducedMotion: "reduce",
      colorScheme: "light",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    const [loaded, faults]: [string[], string[]] = [[], []];
    page.on("request", (request) => {
      const url = request.url();
      if (url.startsWith(`${home}/`)) loaded.push(url.slice(home.length + 1));
      else if (!/^(data|blob):/.test(url)) faults.push(`left the site: ${url}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
    });
    page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
    });
    return { page, loaded, faults };
  };
  beforeAll(async () => {
    server = await serveSite(0, under);
    home = server.home.replace(/\/$/, "");
    browser = await start();
    watched = await watchedPage();
  }, patience);
  beforeEach(() => {
    if (watched !== undefined) watched.faults.length = 0;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  return {
    newPage: async (options) => {
      const page = await known(browser).newPage({ reducedMotion: "reduce", ...options });
      page.setDefaultTimeout(patience);
      return page;
    },
    watchedPage,
    get home() {
      return home;
    },
    get browser() {
      return known(browser);
    },
    get page() {
      return known(watched).page;
    },
    get loaded() {
      return known(watched).loaded;
    },
    get faults() {
      return known(watched).faults;
    },
  };
}

/** Opens an address of the site, after an empty page: if only the fragment changed, the browser would load nothing. */
export async function open(page: Page, address: string): Promise<void> {
  if (address.includes("#")) await page.goto("about:blank");
  await page.goto(address, { waitUntil: "load" });
}
