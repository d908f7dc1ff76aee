import { gzipSync } from "node:zlib";
import type { Browser, Page } from "@trainyard/testing/browser";
import { useSite as useBuiltSite, type WatchedPage } from "../browser.ts";

/** `pnpm exec vitest run --project page` runs all tests; without it, only the most informative ones. */
export const whole: boolean = process.env["PAGE"] === "whole";

/** Serves the built site in a subfolder of a host, and opens its pages in a browser. */
export function useSite(start?: () => Promise<Browser>): { open(path: string): Promise<WatchedPage> } {
  const site = useBuiltSite("/some/place/", start);
  return {
    /** Opens a page in a new context: nothing is cached. */
    async open(path) {
      const watched = await site.watchedPage();
      await watched.page.goto(`${site.home}/${path}`, { waitUntil: "load" });
      return watched;
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
