import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";
import { Unavailable } from "@trainyard/release/steps";
import { launch, program } from "@trainyard/testing/browser";
import { withMock } from "./mock.ts";

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/**
 * Loads the page of a bundler, and lets it call the packed mock from another origin.
 * @throws {@link Unavailable} if Chromium is not installed
 */
export async function callsInBrowser(bundle: () => Promise<string>): Promise<void> {
  if (program === undefined) throw new Unavailable("Chromium was not found. Install it, or set CHROMIUM to its path.");
  const folder = await bundle();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const file = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
    const found = existsSync(file);
    response.writeHead(found ? 200 : 404, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    response.end(found ? readFileSync(file) : undefined);
  });
  const browser = await launch();
  try {
    const home = await listening(server);
    const page = await browser.newPage();
    const faults: string[] = [];
    // A browser prints each response above 399 as an error, and one of the calls expects such a response.
    const printed: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => printed.push(message.text()));
    await withMock(async ({ url }) => {
      await page.goto(`${home}/?${new URLSearchParams({ mock: url })}`);
      await page.waitForSelector("[data-outcome]", { state: "attached", timeout: 120_000 }).catch((error: Error) => {
        faults.push(error.message);
      });
    });
    const outcome = await page.locator("body").getAttribute("data-outcome");
    if (outcome !== "done") faults.unshift(outcome ?? "The page did not finish.");
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
