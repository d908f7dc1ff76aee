/** @module-tag long */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { MetFaults } from "@trainyard/testing";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { listening, until } from "./lib.ts";
import { expectAll, messages, newModel, serve, statusOf, trainerArgs } from "./served.ts";

// Several servers start in a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

const faults = new MetFaults("it refuses connections", "it breaks a stream", "it gives a wrong answer", "it is away");
afterAll(() => faults.tell());

describe("an upstream", () => {
  const completion = {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "demo/tiny",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hello" } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
  const chunk = `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "demo/tiny", choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] })}\n\n`;
  const works: RequestListener = async (request, response) => {
    response.setHeader("Content-Type", "application/json");
    let body = "";
    for await (const part of request) body += String(part);
    const isStream = body !== "" && JSON.parse(body).stream === true;
    if (isStream) response.writeHead(200, { "Content-Type": "text/event-stream" }).end(`${chunk}data: [DONE]\n\n`);
    else if (request.method === "GET") response.end(JSON.stringify({ object: "list", data: [{ id: "demo/tiny" }] }));
    else response.end(JSON.stringify(completion));
  };

  /** A chat server, and a server that forwards to it. */
  async function start() {
    let listener = works;
    const upstream = createServer((request, response) => listener(request, response));
    const listen = (port: number) => listening(upstream, port);
    const port = await listen(0);
    const end = async () => {
      const closed = upstream.listening && once(upstream, "close");
      upstream.close();
      upstream.closeAllConnections();
      await closed;
    };
    onTestFinished(end);
    const served = await serve(temporaryFolder(), [
      "--upstream",
      `http://127.0.0.1:${port}/v1`,
      "--upstream-timeout",
      "1",
      ...trainerArgs,
    ]);
    const chat = (stream = false) => {
      const { completions } = served.inference.chat;
      const ask = { model: "demo/tiny", messages };
      return stream
        ? completions.create({ ...ask, stream: true }).then((chunks) => chunks.final())
        : completions.create(ask);
    };
    return { served, port, listen, end, chat, use: (next: RequestListener) => (listener = next) };
  }

  it("that refuses connections costs chat alone", async () => {
    const { served, port, listen, end, chat } = await start();
    await end();
    await expect(chat()).rejects.toMatchObject({
      status: 503,
      body: { error: { code: "overloaded", message: "The chat server cannot be reached." } },
    });
    faults.met("it refuses connections");
    const check: unknown = await served.training.health.systemCheck().catch((error: unknown) => error);
    expect(check).toMatchObject({ status: 503, body: { gpu_queue: { error: "The chat server cannot be reached." } } });
    expect(await statusOf(newModel(served))).toBe(200);
    expect(JSON.stringify(served.requests())).toContain(`http://127.0.0.1:${port}/v1 cannot be reached`);
    await listen(port);
    await expectAll(served);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["closes the socket after the first event", (to) => to.write(chunk, () => to.socket?.destroy())],
    ["closes the socket within an event", (to) => to.write(chunk + chunk.slice(0, 30), () => to.socket?.destroy())],
    ["ends its half of the connection within a stream", (to) => to.write(chunk, () => to.socket?.end())],
    ["stops sending within a stream", (to) => to.write(chunk)],
  ])("that %s ends the stream with an error, and one line of the log says which", async (_, broken) => {
    const { served, chat, use } = await start();
    use((_request, to) => broken(to.writeHead(200, { "Content-Type": "text/event-stream" })));
    const body = JSON.stringify({ model: "demo/tiny", messages, stream: true });
    const headers = { authorization: "Bearer key-of-harbor", "content-type": "application/json" };
    const response = await fetch(`${served.url}/inference/v1/chat/completions`, { method: "POST", headers, body });
    const text = await response.text();
    const last = JSON.parse(/data: (\{"error.*)\n\n$/.exec(text)?.[1] ?? "null");
    expect(last).toMatchObject({
      error: {
        code: "overloaded",
        message: expect.stringMatching(/^The chat server (ended its response early|sent nothing for 1000 ms)\.$/),
      },
    });
    const [line, ...others] = await until(async () => {
      const found = served.log.filter(({ outcome }) => outcome !== undefined);
      return found.length > 0 && found;
    });
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      request_id: response.headers.get("x-request-id"),
      outcome: "cut",
      reason: expect.stringContaining("http://127.0.0.1:"),
    });
    faults.met("it breaks a stream");
    use(works);
    await chat(true);
    await expectAll(served);
  });

  it.each<[string, RequestListener, RegExp]>([
    ["sends no answer", () => undefined, /did not respond within 1000 ms/],
    [
      "sends its headers a byte at a time",
      ({ socket }) => {
        const timer = setInterval(() => socket.write("H"), 100);
        socket.on("close", () => clearInterval(timer));
      },
      /cannot be reached|did not respond/,
    ],
    [
      "answers 600 MiB",
      (_, response) => {
        response.setHeader("Content-Type", "application/json");
        const part = Buffer.alloc(2 ** 20, " ");
        let left = 600;
        const more = (): void => {
          while (left-- > 0) if (!response.write(part)) return void response.once("drain", more);
          response.end();
        };
        more();
      },
      /sent more than 64 MiB|did not respond|ended its response early/,
    ],
    ["closes the socket before its answer", ({ socket }) => socket.destroy(), /cannot be reached/],
    [
      "answers half a body",
      (_, response) =>
        void response
          .writeHead(200, { "Content-Type": "application/json", "Content-Length": 100 })
          .write('{"id":', () => response.socket?.destroy()),
      /ended its response early/,
    ],
  ])("that %s costs the call, with 503", async (_, broken, message) => {
    const { served, chat, use } = await start();
    use(broken);
    const memory = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${served.pid}/status`, "utf8"))?.[1]) / 1024;
    const before = process.platform === "linux" ? memory() : 0;
    await expect(chat()).rejects.toMatchObject({
      status: 503,
      body: { error: { code: "overloaded", message: expect.stringMatching(message) } },
    });
    faults.met("it gives a wrong answer");
    if (process.platform === "linux") expect(memory() - before).toBeLessThan(300);
    use(works);
    await expectAll(served);
  });

  it("without a trainer is not a failure, and both are named if both are away", async () => {
    const { port, end } = await start();
    const alone = await serve(temporaryFolder(), ["--upstream", `http://127.0.0.1:${port}/v1`]);
    expect((await alone.training.health.systemCheck()).gpu_queue).toMatchObject({
      success: true,
      error: null,
      configured: false,
    });
    await expectAll(alone, { isTrained: false });
    const both = await serve(temporaryFolder(), [
      "--upstream",
      `http://127.0.0.1:${port}/v1`,
      "--trainer",
      "no-such-trainer",
    ]);
    await end();
    const check: unknown = await both.training.health.systemCheck().catch((error: unknown) => error);
    expect(check).toMatchObject({
      body: { gpu_queue: { error: "The chat server cannot be reached. The trainer no-such-trainer was not found." } },
    });
    faults.met("it is away");
  });
});
