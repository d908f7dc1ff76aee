/** Real programs through `verify --proxy`: the requests that libraries sent, with the same bytes in the same pieces. */
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "@trainyard/server";
import { recordedLibraries } from "@trainyard/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "./verify/listening.ts";
import { key } from "./verify/server.ts";

const server = createServer({ keys: [{ key, entity: "harbor" }] });
const { baseUrl, fetch: answer } = server.connect("inference");

describe("the requests of openai and ai", () => {
  /** Ends the wait of the service, which sends a piece when the client has the one before. */
  let next = () => {};
  let written: Buffer[] = [];
  let most = 0;
  const service = createHttpServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const piece of request) body.push(piece);
    const headers = new Headers(request.headers as Record<string, string>);
    const { status, headers: own, ...answered } = await ask(request.method, request.url, headers, Buffer.concat(body));
    response.writeHead(status, Object.fromEntries(own));
    for (const piece of answered.pieces) {
      const taken = new Promise<void>((resolve) => (next = resolve));
      written.push(piece);
      response.write(piece);
      await taken;
    }
    response.end();
  });

  async function ask(method = "GET", url = "", headers: Headers, body: Buffer) {
    const response = await answer(`${new URL(baseUrl).origin}${url}`, {
      method,
      headers,
      ...(body.length > 0 && { body: body.toString() }),
    });
    // Each event of a stream is a piece.
    const pieces = (await response.text()).split(/(?<=\n\n)/).map((piece) => Buffer.from(piece));
    return { status: response.status, headers: response.headers, pieces };
  }

  let proxy: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    await once(service.listen(0, "127.0.0.1"), "listening");
    const { port } = service.address() as AddressInfo;
    proxy = await listen(["--service", "inference", `http://127.0.0.1:${port}${new URL(baseUrl).pathname}`]);
  });
  afterAll(async () => {
    service.close();
    await server.close();
  });

  const rows = recordedLibraries().filter(({ library }) => library !== "langchain");
  it.each(rows)("get the same bytes, piece by piece: $library, $name", async ({ calls }) => {
    for (const { method, path, headers, body, status } of calls) {
      written = [];
      const response = await fetch(`${proxy.base}${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${status === 401 ? "wrong" : key}` },
        ...(body !== null && { body: JSON.stringify(body) }),
      });
      const read: Buffer[] = [];
      for await (const piece of response.body ?? []) {
        read.push(Buffer.from(piece));
        // All that the service has sent has arrived, and nothing else can have.
        if (Buffer.concat(read).equals(Buffer.concat(written))) next();
      }
      most = Math.max(most, written.length);
      expect(response.status).toBe(status);
      expect(Buffer.concat(read).equals(Buffer.concat(written))).toBe(true);
    }
  });

  it("are judged, and nothing contradicts", async () => {
    // Streams were among them.
    expect(most).toBeGreaterThan(5);
    const { code, out, err } = await proxy.end();
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining("contradicts") });
    expect(out).toMatch(/inference chat\.completions\.create +200 ×\d+/);
  });
});
