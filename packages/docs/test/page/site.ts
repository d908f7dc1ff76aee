import { gzipSync } from "node:zlib";
import { launch } from "@trainyard/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { serveSite, type SiteServer } from "../../src/serve/server.ts";

/** `pnpm test page` runs all tests; without it, only the most informative ones. */
export const whole: boolean = process.env["PAGE"] === "whole";

/** How long a test waits for a page, in milliseconds. The limit only ends a test that hangs. */
const patience = 120_000;

export interface Site {
  /** The URL of the site, with a slash at the end. */
  readonly home: string;
  /** Opens a page in a new context: nothing is cached. */
  open(path: string): Promise<Opened>;
}

/** A page, and its requests. */
export interface Opened {
  readonly page: Page;
  /** Paths below the site. */
  readonly loaded: string[];
  /** Requests to other origins, and errors of scripts and the console. */
  readonly faults: string[];
}

/** Serves the built site in a subfolder of a host, and opens its pages in a browser. */
export function useSite(start: () => Promise<Browser> = launch): Site {
  let browser: Browser | undefined;
  let server: SiteServer | undefined;
  let home = "";
  beforeAll(async () => {
    server = await serveSite(0, "/some/place/");
    home = server.home;
    browser = await start();
  }, patience);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  return {
    get home() {
      return home;
    },
    async open(path) {
      if (browser === undefined) throw new Error("The browser is started when the tests begin.");
      const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, reducedMotion: "reduce" });
      page.setDefaultTimeout(patience);
      const [loaded, faults]: [string[], string[]] = [[], []];
      page.on("request", (request) => {
        const url = request.url();
        if (url.startsWith(home)) loaded.push(url.slice(home.length));
        else if (!/^(data|blob):/.test(url)) faults.push(`left the site: ${url}`);
      });
      page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
      });
      await page.goto(home + path, { waitUntil: "load" });
      return { page, loaded, faults };
    },
  };
}

/** The output of a sample's run. */
export interface Shown {
  readonly prints: string;
  readonly status: string;
  /** `POST /v1/chat/completions 200` */
  readonly requests: readonly string[];
}

/** Adds a sample's button to the page. */
export async function addSample(page: Page, name: string): Promise<void> {
  await page.evaluate((sample) => {
    document.querySelector("#tested")?.remove();
    const element = document.createElement("sample-run");
    element.id = "tested";
    element.dataset["sample"] = sample;
    const button = document.createElement("button");
    button.textContent = "Run";
    element.append(button);
    document.querySelector("main")?.prepend(element);
  }, name);
}

/** Adds a sample's button to the page, runs the sample, and reads its output. */
export async function runSample(page: Page, name: string): Promise<Shown> {
  await addSample(page, name);
  await page.locator("#tested button").click();
  await page.locator("#tested button", { hasText: "Run again" }).waitFor();
  return page.evaluate(() => {
    const text = (selector: string) => document.querySelector(`#tested ${selector}`)?.textContent ?? "";
    const requests = [...document.querySelectorAll("#tested summary")].map((row) =>
      [".run-verb", "code", ".run-code"].map((part) => row.querySelector(part)?.textContent ?? "").join(" "),
    );
    return { prints: text(".run-prints"), status: text(".run-status"), requests };
  });
}

/** The size of everything that was loaded, with each file compressed once. */
export function gzipped(files: Iterable<string>, read: (file: string) => Uint8Array): number {
  let sum = 0;
  for (const file of new Set([...files].map((one) => one.replace(/[?#].*$/, "")))) sum += gzipSync(read(file)).length;
  return sum;
}
