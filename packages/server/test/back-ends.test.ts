import { createServer as createWebServer } from "node:http";
import { createInferenceClient, NotFoundError } from "@trainyard/inference";
import { recordedBackEnds, type RecordedBackEnd } from "@trainyard/testing";
import { packages } from "@trainyard/testing/services";
import { afterAll, describe, expect, it } from "vitest";
import { createServer } from "../src/index.ts";
import { listening, makeServer } from "./lib.ts";

// Not imported by name, because types are checked before anything is built.
const validators = (await packages.find(({ name }) => name === "inference")?.validators()) ?? {};

const messages = [{ role: "user" as const, content: "Is the 9:40 late?" }];

/** Serves the recorded responses of a chat server. */
async function serve(recorded: RecordedBackEnd): Promise<{ url: string; close(): void }> {
  const web = createWebServer(async (request, response) => {
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    };
    if (request.method === "GET") {
      return recorded.models === null ? json(404, { detail: "Not Found" }) : json(200, recorded.models);
    }
    let text = "";
    for await (const part of request) text += part;
    const body: { model: string; stream?: boolean } = JSON.parse(text);
    if (body.model !== recorded.model) return json(recorded.unknown.status, recorded.unknown.body);
    if (body.stream !== true) return json(200, recorded.completion);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const chunk of recorded.chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  const port = await listening(web);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () => {
      web.closeAllConnections();
      web.close();
    },
  };
}

describe.each(recordedBackEnds())("a chat server behind the local server, $backEnd", async (recorded) => {
  const web = await serve(recorded);
  // Each response is validated against the contract by the server, and once more by the client.
  const server = makeServer({ backend: { url: web.url } });
  afterAll(async () => {
    await server.end();
    web.close();
  });
  const client = createInferenceClient({
    ...server.connect("inference"),
    maxRetries: 0,
    validators,
    validate: "responses",
  });

  it("returns a complete, typed response", async () => {
    const completion = await client.chat.completions.create({ model: recorded.model, messages });
    expect(completion).toEqual(recorded.completion);
  });

  it("streams", async () => {
    const stream = await client.chat.completions.create({ model: recorded.model, messages, stream: true });
    const chunks: unknown[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks).toEqual(recorded.chunks);
    expect((await stream.final()).choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: "On time." },
    });
  });

  it("lists its models, if it has a list", async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(recorded.models?.data.map(({ id }) => id) ?? []);
  });

  it("reports an unknown model with its own message", async () => {
    const call = client.chat.completions.create({ model: "acme/none", messages });
    await expect(call).rejects.toThrow(NotFoundError);
    await expect(call).rejects.toThrow("acme/none");
  });
});

it("forwards a chunk that breaks the contract, which the client reports with its position", async () => {
  const [recorded] = recordedBackEnds();
  if (recorded === undefined) throw new Error("No back end was recorded.");
  const [first] = recorded.chunks;
  const web = await serve({ ...recorded, chunks: [first, { ...Object(first), choices: "none" }] });
  const server = createServer({ backend: { url: web.url }, keys: [{ key: "key-of-harbor", entity: "harbor" }] });
  const options = { ...server.connect("inference"), validators, validate: "responses" } as const;
  const { chat } = createInferenceClient(options);
  const stream = await chat.completions.create({ model: recorded.model, messages, stream: true });
  await expect(stream.final()).rejects.toThrow("chat.completions.create: chunk.choices: This must be a list.");
  await server.close();
  web.close();
});
