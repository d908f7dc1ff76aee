import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { launch, program } from "@trainyard/testing/browser";
import { build } from "esbuild";

/** Bundles a program into a page of its own origin, loads the page, and returns the text of its body. */
export async function runInPage(file: string, query: Readonly<Record<string, string>>): Promise<string> {
  if (program === undefined) throw new Error("Chromium was not found. Install it, or set CHROMIUM to its path.");
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    logLevel: "error",
  });
  const web = createServer((request, response) => {
    const isScript = request.url?.startsWith("/page.js") ?? false;
    response.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html" });
    response.end(
      isScript ? outputFiles[0]?.text : '<!doctype html><body><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", () => resolve()));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const { port } = web.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams(query)}`);
    const body = page.locator("body[data-outcome]");
    await body.waitFor({ state: "attached", timeout: 300_000 });
    return (await body.getAttribute("data-outcome")) ?? "";
  } finally {
    await browser.close();
    web.closeAllConnections();
    web.close();
  }
}
