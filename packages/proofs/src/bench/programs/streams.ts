/** Parses the same bytes of a stream with each client, without a network. Prints the rounds as JSON. */
import { createInferenceClient } from "@trainyard/inference";
import OpenAI from "openai";
import { alternate, type Contenders } from "./alternate.ts";

const body = { model: "demo/tiny", messages: [{ role: "user" as const, content: "Tell me." }], stream: true as const };

/** A stream of chat completion chunks, about 190 bytes each. */
function bytesOf(events: number): Uint8Array {
  const chunk = (index: number): string =>
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_793_000_000,
      model: "demo/tiny",
      choices: [
        { index: 0, delta: { content: ` word ${index}` }, logprobs: null, finish_reason: index === 0 ? "stop" : null },
      ],
    });
  const frames = Array.from({ length: events }, (_, index) => `data: ${chunk(events - 1 - index)}\n\n`);
  return new TextEncoder().encode(`${frames.join("")}data: [DONE]\n\n`);
}

function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  );
}

/** Reads a stream in these pieces with each client. */
function readers(chunks: readonly Uint8Array[]): Contenders {
  const fetch = async (): Promise<Response> => {
    let next = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const chunk = chunks[next++];
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
  const openai = new OpenAI({ apiKey: "k", baseURL: "http://bench.invalid/v1", fetch });
  const own = createInferenceClient({ apiKey: "k", baseUrl: "http://bench.invalid", fetch });
  const count = async (stream: AsyncIterable<unknown>): Promise<void> => {
    let items = 0;
    for await (const item of stream) if (item) items++;
    if (items === 0) throw new Error("The stream had no items.");
  };
  return {
    openai: async () => count(await openai.chat.completions.create(body)),
    "@trainyard/inference": async () => count(await own.chat.completions.create(body, { accumulate: false })),
    "@trainyard/inference, keeping what final() adds up": async () => count(await own.chat.completions.create(body)),
  };
}

const whole = bytesOf(1000);
const singles: { [name: string]: () => Promise<unknown> } = {};
for (const events of [100, 200, 400]) {
  const clients = readers(pieces(bytesOf(events), 1));
  for (const name of ["openai", "@trainyard/inference"]) singles[`${name} ${events}`] = async () => clients[name]?.();
}

console.log(
  JSON.stringify({
    reads: await alternate(readers(pieces(whole, 16_384)), { rounds: 10, runs: 8, warmUp: 30 }),
    events: await alternate(readers(pieces(whole, 194)), { rounds: 10, runs: 8, warmUp: 30 }),
    singles: await alternate(singles, { rounds: 7, runs: 2, warmUp: 4 }),
  }),
);
