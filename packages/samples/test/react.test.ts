/** Libraries for `openapi-fetch` work with calls by path: `openapi-react-query` and `swr-openapi`. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { mockService, startMock } from "@trainyard/mock";
import { launch, program } from "@trainyard/testing/browser";
import { build } from "esbuild";
import { createElement } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { afterAll, expect, it, vi } from "vitest";

const modelId = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
const mock = await startMock();
afterAll(async () => {
  vi.unstubAllEnvs();
  await mock.close();
});

it("a React page lists the checkpoints that the mock returns", async () => {
  const service = mock.connect("training");
  vi.stubEnv("TRAINYARD_TRAINING_URL", service.baseUrl);
  vi.stubEnv("TRAINYARD_API_KEY", "a-key-for-the-mock");
  const { App } = await import("../programs/checkpoints.tsx");
  const { prelude } = await prerenderToNodeStream(createElement(App, { modelId }));
  const page = (await text(prelude)).replaceAll(/<!--.*?-->/g, "");
  expect(page).toMatch(/<ol><li>Step \d+: .*<\/li><\/ol>/);
});

const isAsked = process.env["SAMPLE_ROUNDS"] !== undefined;
const skips = !isAsked || program === undefined;

// Without a DOM, the hooks of SWR send no request.
it.skipIf(skips)(
  "a page with SWR lists them page by page, and shows an error",
  async () => {
    const page = `
    import { createElement } from "react";
    import { createRoot } from "react-dom/client";
    import { App } from "../programs/checkpoints-swr.tsx";
    const modelId = location.hash.slice(1);
    createRoot(document.getElementById("root")).render(createElement(App, { modelId }));`;
    const { outputFiles } = await build({
      stdin: { contents: page, resolveDir: import.meta.dirname, loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      jsx: "automatic",
      conditions: ["@trainyard/source"],
      define: { "process.env.NODE_ENV": '"production"' },
    });
    const training = mockService("training", { keys: ["key-of-the-proxy"] });
    const checkpoint = (step: number) => ({
      id: `00000000-0000-4000-8000-00000000000${step}`,
      step,
      metrics: {},
    });
    training.on("models.checkpoints.list", ({ params, query }) => {
      if (params["model_id"] !== modelId) return { status: 404 };
      const first = {
        object: "list" as const,
        data: [checkpoint(2), checkpoint(1)],
        has_more: true,
      };
      return {
        body: query.get("after")
          ? { ...first, data: [checkpoint(0)], has_more: false }
          : first,
      };
    });
    const web = createServer(async (request, response) => {
      if (request.url?.startsWith("/training/")) {
        const answer = await training.handle(
          proxied(request, training.connect().baseUrl),
        );
        response
          .writeHead(answer.status, { "content-type": "application/json" })
          .end(await answer.text());
      } else if (request.url === "/page.js") {
        response
          .writeHead(200, { "content-type": "text/javascript" })
          .end(outputFiles[0]?.text);
      } else {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(
          '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>',
        );
      }
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const browser = await launch();
    try {
      const { port } = web.address() as AddressInfo;
      const tab = await browser.newPage();
      tab.setDefaultTimeout(60_000);
      await tab.goto(`http://127.0.0.1:${port}/#${modelId}`);
      await tab.getByRole("button", { name: "More" }).click();
      await tab.getByText("Step 0").waitFor();
      expect(await tab.getByRole("listitem").allTextContents()).toEqual([
        "Step 2",
        "Step 1",
        "Step 0",
      ]);
      expect(await tab.getByRole("button").count()).toBe(0);
      expect(
        training
          .requests("models.checkpoints.list")
          .map(({ query }) => query.get("after")),
      ).toContain(checkpoint(1).id);
      const other = await browser.newPage();
      other.setDefaultTimeout(60_000);
      await other.goto(
        `http://127.0.0.1:${port}/#0d5c8b7a-e19f-4236-a4b8-3f7e6c2d1950`,
      );
      expect(await other.getByRole("alert").textContent()).toContain("not found");
    } finally {
      await browser.close();
      web.closeAllConnections();
      web.close();
    }
  },
);

/** The request as a proxy forwards it, with its key. */
function proxied(
  { url = "", method = "GET" }: IncomingMessage,
  baseUrl: string,
): Request {
  return new Request(url.replace("/training", baseUrl), {
    method,
    headers: { authorization: "Bearer key-of-the-proxy" },
  });
}
