import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import { launch } from "@trainyard/testing/browser";
import { build } from "esbuild";

/** The text of a page that loads a script. */
export const pageOf = (script: string): string => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Calls</title><link rel="icon" href="data:," /></head>
  <body><script type="module" src="${script}"></script></body>
</html>
`;

/** Bundles a program into a page by esbuild. @returns the folder of the page */
export async function bundlePage(entry: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [entry],
    outfile: join(folder, "page.js"),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    logLevel: "silent",
  });
  writeFileSync(join(folder, "index.html"), pageOf("/page.js"));
  return folder;
}

/**
 * Serves a page of its own origin, loads it in Chromium, and waits until its body has an outcome.
 *
 * @throws Error if the outcome is not `done`
 */
export async function runPage(folder: string, query: Readonly<Record<string, string>>): Promise<void> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const file = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
    const found = existsSync(file);
    response.writeHead(found ? 200 : 404, { "content-type": file.endsWith(".js") ? "text/javascript" : "text/html" });
    response.end(found ? readFileSync(file) : undefined);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    // A browser prints each response above 399 as an error, and some of the calls expect such a response.
    const printed: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => printed.push(message.text()));
    await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams(query)}`);
    const body = page.locator("body[data-outcome]");
    await body.waitFor({ state: "attached", timeout: 300_000 }).catch((error: Error) => faults.push(error.message));
    const outcome = await page.locator("body").getAttribute("data-outcome");
    if (outcome !== "done") faults.unshift(outcome ?? "The page did not finish.");
    if (faults.length > 0) throw new Error([...faults, ...printed].join("\n"));
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}
