import { createInferenceClient } from "@trainyard/inference";
import OpenAI from "openai";
import { alternate, type Contenders, type Rounds } from "./alternate.ts";
import { atLeast, atMost, type Findings, ratios, type Row, spreadOf } from "./report.ts";

const ours = "@trainyard/inference";
const body = { model: "demo/tiny", messages: [{ role: "user" as const, content: "Tell me." }], stream: true as const };

/** A stream of chat completion chunks, about 190 bytes each, one event a piece. */
function eventsOf(events: number): Uint8Array[] {
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
  const data = Array.from({ length: events }, (_, index) => chunk(events - 1 - index));
  return [...data, "[DONE]"].map((one) => new TextEncoder().encode(`data: ${one}\n\n`));
}

/** The same stream in pieces of another size. */
function pieces(events: number, size: number): Uint8Array[] {
  const bytes = Buffer.concat(eventsOf(events));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
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
    [ours]: async () => count(await own.chat.completions.create(body)),
    "@trainyard/inference, accumulate: false": async () =>
      count(await own.chat.completions.create(body, { accumulate: false })),
  };
}

/** The speed of parsing a stream, and whether its time is linear in its bytes. */
export async function streams(): Promise<Findings> {
  const times = { rounds: 60, runs: 3, warmUp: 30 };
  const [few, many] = [readers(pieces(100, 1)), readers(pieces(400, 1))];
  const singles = Object.fromEntries(
    ["openai", ours].flatMap((name) => [
      [`${name} 100`, async () => few[name]?.()],
      [`${name} 400`, async () => many[name]?.()],
    ]),
  );
  return {
    how: "The same 1,000 chunks of a chat completion (190 kB) by each client, without a network. How often it is faster than `openai` stands beside it. Single bytes: four times the bytes, in how many times the CPU. `pnpm bench --only Parsing` measures this alone.",
    against: "openai (times faster)",
    rows: [
      ...faster(await alternate(readers(pieces(1000, 1e6)), times), "one piece", 2.5),
      ...faster(await alternate(readers(pieces(1000, 1400)), times), "1,400 bytes a piece", 2.5),
      ...faster(await alternate(readers(eventsOf(1000)), times), "one event a piece", 1.8),
      ...growth(await alternate(singles, { rounds: 7, runs: 2, warmUp: 4 })),
    ],
  };
}

function faster(rounds: Rounds, pieces: string, bar: number): Row[] {
  return Object.entries(rounds).map(([what, values]) => {
    const ratio = ratios(rounds["openai"] ?? [], values);
    return {
      what: `${what}, ${pieces}`,
      measured: `${(spreadOf(values).median / 1000).toFixed(2)} ms`,
      ratio,
      ...(what !== "openai" && atLeast(ratio.median, bar, `× ${bar}`)),
    };
  });
}

function growth(rounds: Rounds): Row[] {
  return ["openai", ours].map((client) => {
    const few = rounds[`${client} 100`] ?? [];
    const many = rounds[`${client} 400`] ?? [];
    const grown = ratios(many, few).median;
    return {
      what: `${client}, one byte a piece, growth from 19 kB to 78 kB`,
      measured: `× ${grown.toFixed(2)} (${(spreadOf(many).median / 1000).toFixed(0)} ms)`,
      ratio: ratios(rounds["openai 400"] ?? [], many),
      // Four is linear; a quadratic parser reaches 16.
      ...(client === ours && atMost(grown, 4.8, "× 4.8 (linear: 4)")),
    };
  });
}
