import { existsSync } from "node:fs";
import axeCore from "axe-core";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser's program; undefined where there is none. `CHROMIUM` names another. */
export const program: string | undefined = [process.env["CHROMIUM"] ?? "", ...places].find((file) => existsSync(file));

/** Starts a browser that asks nobody for updates. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    ...(program !== undefined && { executablePath: program }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
    ],
  });
}

/** A page that has opened the console, and what went wrong on it: errors, and requests to other places. */
export async function openPage(
  browser: Browser,
  consoleUrl: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; home: string; faults: string[] }> {
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
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 404/.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  await page.goto(consoleUrl);
  await page.waitForSelector("h1, h2");
  return { page, home, faults };
}

/** What is wrong for who cannot see, hear or point, by all rules of WCAG A to 2.2 AA and best practice. */
export async function axe(page: Page): Promise<string[]> {
  // Not as a script of the page: its policy lets no foreign one in.
  await page.evaluate(axeCore.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
    );
  });
}
