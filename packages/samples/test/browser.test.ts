// @module-tag long
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createInferenceClient } from "@trainyard/inference";
import { launch, program } from "@trainyard/testing/browser";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { chatRoute } from "../routes/chat.ts";

const routes = join(import.meta.dirname, "../routes");

it.skipIf(program === undefined)(
  "the page reads the route, and its button ends the request to the service",
  async () => {
    const { outputFiles } = await build({
      entryPoints: [join(routes, "page.ts")],
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      conditions: ["@trainyard/source"],
    });
    const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const fetch = async () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (stream) => void streams.push(stream),
          cancel: () => end(),
        }),
        { headers: { "content-type": "text/event-stream" } },
      );
    const say = (content: string) =>
      streams
        .at(-1)
        ?.enqueue(
          new TextEncoder().encode(
            `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
          ),
        );
    const service = { baseUrl: "http://service.invalid", apiKey: "a-key", fetch };
    const route = chatRoute(createInferenceClient(service));
    const server = createServer(async (incoming, outgoing) => {
      if (incoming.method === "POST" && incoming.url === "/chat/completions") {
        const body = await text(incoming);
        const request = new Request(`${home}${incoming.url}`, {
          method: "POST",
          body,
        });
        const response = await route(request);
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        const answer = Readable.fromWeb(response.body as never);
        outgoing.on("close", () => answer.destroy());
        answer.pipe(outgoing);
      } else if (incoming.url === "/page.js") {
        outgoing.writeHead(200, { "content-type": "text/javascript" });
        outgoing.end(outputFiles[0]?.contents);
      } else outgoing.end(readFileSync(join(routes, "page.html")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const browser = await launch();
    onTestFinished(async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    });

    const page = await browser.newPage();
    await page.goto(home);
    const answer = page.locator("#answer");
    const ask = async (content: string) => {
      const before = streams.length;
      await page.getByLabel("Question").fill("Does the 9:40 carry bicycles?");
      await page.getByRole("button", { name: "Ask" }).click();
      await expect.poll(() => streams.length).toBe(before + 1);
      say(content);
      await expect.poll(() => answer.textContent()).toBe(content);
    };
    await ask("Yes, ");
    // The second chunk is sent after the first was seen, so nothing holds them back.
    say("it carries");
    await expect.poll(() => answer.textContent()).toBe("Yes, it carries");
    await page.getByRole("button", { name: "Stop" }).click();
    await ended;
    expect(await answer.textContent()).toBe("Yes, it carries");

    await ask("No, ");
    streams.at(-1)?.error(new Error("The service broke."));
    await expect
      .poll(() => answer.textContent())
      .toBe("No,  The answer is incomplete. Ask again.");
  },
);
