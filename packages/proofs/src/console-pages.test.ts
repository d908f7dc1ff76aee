/**
 * The console's pages against the mock of their document: their requests are valid, and they show the document's examples.
 * Runs with `pnpm exec vitest run --project console-pages`; `pnpm test` starts no browser for it.
 */
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildConsole } from "@trainyard/console/build";
import openapi from "@trainyard/local/openapi.json" with { type: "json" };
import { startMock } from "@trainyard/mock";
import { breachesOf, launch, program } from "@trainyard/testing/browser";
import { describe, expect, it, onTestFinished } from "vitest";

const run = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
/** Each page, with texts from the document's examples that it must show. */
const pages: readonly (readonly [string, readonly string[]])[] = [
  ["", ["agent-1", "agent-0"]],
  [`runs/${run}`, ["agent-1", "late-parcel-refund-17", "out of memory"]],
  [`runs/${run}?step=1&split=val`, ["agent-1", "Groups of a step"]],
  [`runs/${run}?groups=all`, ["late-parcel-refund-17", "opening-hours-02", "since step 9"]],
  [`runs/${run}/groups/12.0`, ["late-parcel-refund-17", "Attempt 1"]],
  [`runs/${run}/rollouts?reward=0.9..&flag=same-answer&sort=-reward`, ["I have refunded the full amount."]],
  [`runs/${run}/tasks?from=0&sort=mean`, ["late-parcel-refund-17", "+0.38 ± 0.45"]],
  [`runs/${run}/tasks/late-parcel-refund-17`, ["Groups by step", "step 2"]],
  [`compare?runs=${run}@1,${run}@2`, ["Reward rose by 0.13 from step 1 to 2:", "learning_rate", "left out"]],
  [`runs/${run}/jobs`, ["out of memory at 4 sequences"]],
];

/** Serves the pages, and forwards their requests to a mock. @returns its address, and the requests that the mock rejected */
async function servePages(): Promise<{ home: string; refused: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "trainyard-pages-"));
  await buildConsole(folder);
  const mock = await startMock({ documents: { local: openapi } });
  const { baseUrl, apiKey, fetch } = mock.connect("local");
  const refused: string[] = [];
  const server = createServer(async ({ url = "/" }, response) => {
    if (url.startsWith("/console/")) {
      const name = /[^/]+\.(js|css|svg)$/.exec(url)?.[0] ?? "index.html";
      const types: Record<string, string> = { js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
      response.setHeader("Content-Type", types[name.split(".")[1] ?? ""] ?? "text/html");
      const file = await readFile(join(folder, name));
      // As the server does: below the first page, the other files are not beside the page.
      return response.end(name === "index.html" ? file.toString().replaceAll('="./', '="/console/') : file);
    }
    // The example always reports a change, so it is sent only once.
    if (url.includes("/changes") && !url.includes("after=0")) return undefined;
    const answer = await fetch(baseUrl + url.replace("/_local", ""), {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const text = await answer.text();
    if (!answer.ok) refused.push(`${answer.status} ${url}: ${text}`);
    return response.writeHead(answer.status, { "Content-Type": "application/json" }).end(text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await mock.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { home: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refused };
}

describe.skipIf(process.env["CONSOLE"] === undefined || program === undefined)("the console against the mock", () => {
  it("sends valid requests, and shows the document's examples", async () => {
    const { home, refused } = await servePages();
    const browser = await launch();
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, reducedMotion: "reduce" });
    const faults: string[] = [];
    page.on("pageerror", ({ message }) => faults.push(message));
    for (const [path, texts] of pages) {
      await page.goto(`${home}/console/${path}`);
      for (const text of texts) await page.getByText(text).first().waitFor();
      await page.waitForFunction(() => document.querySelector("[aria-busy]") === null);
      expect.soft({ path, breaches: await breachesOf(page) }).toEqual({ path, breaches: [] });
    }
    expect({ refused, faults }).toEqual({ refused: [], faults: [] });
  });
});
