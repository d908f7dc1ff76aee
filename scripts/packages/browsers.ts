import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";
import { Unavailable } from "@trainyard/release/steps";
import { chromium } from "playwright-core";
import { withMock } from "./mock.ts";

const places = [
  process.env["CHROMIUM"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

// Without these it looks for updates, and for names that no test asks for.
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** Finds a Chromium. @throws {@link Unavailable} where there is none */
export function obtainChromium(): string {
  const found = places.find((file) => file !== "" && existsSync(file));
  if (found === undefined) throw new Unavailable("There is no Chromium: install one, or name it in CHROMIUM.");
  return found;
}

/** Loads the page that a bundler made, and lets it call the packed mock from another origin. */
export async function callsInBrowser(executablePath: string, folder: string): Promise<void> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const file = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
    const found = existsSync(file);
    response.writeHead(found ? 200 : 404, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    response.end(found ? readFileSync(file) : undefined);
  });
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    const home = await listening(server);
    const page = await browser.newPage();
    const faults: string[] = [];
    // A browser prints each answer above 399 as an error, and one of the calls is to get such an answer.
    const printed: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => printed.push(message.text()));
    await withMock(async ({ url }) => {
      await page.goto(`${home}/?${new URLSearchParams({ mock: url })}`);
      await page.waitForSelector("[data-outcome]", { state: "attached", timeout: 30_000 }).catch((error: Error) => {
        faults.push(error.message);
      });
    });
    const outcome = await page.locator("body").getAttribute("data-outcome");
    if (outcome !== "done") faults.unshift(outcome ?? "The page did not come to its end.");
    if (faults.length > 0) throw new Error([...faults, ...printed].join("\n"));
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "");
    });
  });
}
