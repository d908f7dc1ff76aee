import { createServer } from "node:http";
import { expect, it } from "vitest";
import { listening } from "../../test/lib.ts";
import { upstreamBackend } from "../chat/upstream.ts";
import { awaitBackEnd } from "./serve.ts";

/** A port that nobody listens at. */
async function freePort(): Promise<number> {
  const web = createServer();
  const port = await listening(web);
  await new Promise((resolve) => web.close(resolve));
  return port;
}

it("reports once that the chat server cannot be reached, and once that it can", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/v1`;
  const sentences: string[] = [];
  const signal = new AbortController().signal;
  const there = awaitBackEnd(upstreamBackend({ url }), {
    say: (sentence) => sentences.push(sentence),
    signal,
    everyMs: 5,
  });
  const away = `The chat server at ${url} cannot be reached. Chat requests return 503 until it can be reached.`;
  await expect.poll(() => sentences).toEqual([away]);
  // One that loads its model listens before it answers.
  let loading = true;
  let looks = 0;
  const web = createServer((_, response) => {
    looks++;
    response.writeHead(loading ? 503 : 200, { "Content-Type": "application/json" });
    response.end(loading ? '{"message": "loading"}' : '{"object": "list", "data": []}');
  });
  await listening(web, port);
  await expect.poll(() => looks).toBeGreaterThan(1);
  expect(sentences).toEqual([away]);
  loading = false;
  await there;
  expect(sentences).toEqual([away, "The chat server can be reached now."]);
  sentences.length = 0;
  await awaitBackEnd(upstreamBackend({ url }), { say: (sentence) => sentences.push(sentence), signal });
  expect(sentences).toEqual([]);
  web.closeAllConnections();
  web.close();
});

it("ends when it is aborted", async () => {
  const url = `http://127.0.0.1:${await freePort()}/v1`;
  const controller = new AbortController();
  const sentences: string[] = [];
  const watch = awaitBackEnd(upstreamBackend({ url }), {
    say: (sentence) => {
      sentences.push(sentence);
      controller.abort();
    },
    signal: controller.signal,
  });
  await watch;
  expect(sentences).toHaveLength(1);
});
