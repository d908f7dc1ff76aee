import type { Browser, BrowserContextOptions, Page, Request } from "@trainyard/testing/browser";

/** A page that has opened the console. */
export interface OpenedPage {
  readonly page: Page;
  readonly home: string;
  /** Errors, and requests to other hosts. */
  readonly faults: string[];
  /** Waits until all requests have finished and the page is drawn. */
  rested(): Promise<void>;
}

export async function openPage(
  browser: Browser,
  consoleUrl: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const home = new URL(consoleUrl).origin;
  const context = await browser.newContext({
    reducedMotion: "reduce",
    viewport: { width: 1440, height: 1000 },
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(`${home}/`) && !request.url().startsWith("data:"))
      faults.push(`left: ${request.url()}`);
  });
  const open = new Set<Request>();
  // Requests that wait for changes never finish.
  page.on("request", (request) => {
    // Requests of an earlier page no longer matter.
    if (request.isNavigationRequest()) open.clear();
    if (!request.url().includes("/_local/changes")) open.add(request);
  });
  for (const event of ["requestfinished", "requestfailed"] as const)
    page.on(event as "requestfinished", (request) => void open.delete(request));
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (404|422)/.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  await page.goto(consoleUrl);
  await page.waitForSelector("h1, h2");
  const rested = async () => {
    for (let frames = 0; frames < 3; frames++) {
      if (open.size > 0) frames = 0;
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
  };
  return { page, home, faults, rested };
}
