/** What is made for `openapi-fetch` works with the other door of a client: here `openapi-react-query`. */
import { startMock } from "@trainyard/mock";
import { createElement } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { text } from "node:stream/consumers";
import { afterAll, expect, it, vi } from "vitest";

const mock = await startMock();
afterAll(async () => {
  vi.unstubAllEnvs();
  await mock.close();
});

it("a page of React lists the checkpoints that the mock gives", async () => {
  const service = mock.connect("training");
  vi.stubEnv("TRAINYARD_TRAINING_URL", service.baseUrl);
  vi.stubEnv("TRAINYARD_API_KEY", "a-key-for-the-mock");
  const { App } = await import("../programs/checkpoints.tsx");
  const { prelude } = await prerenderToNodeStream(
    createElement(App, { modelId: "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30" }),
  );
  const page = (await text(prelude)).replaceAll(/<!--.*?-->/g, "");
  expect(page).toMatch(/<ol><li>Step \d+: .*<\/li><\/ol>/);
});
