import { demo, events } from "./answering.ts";
import type { ChatCompletion, ChatCompletionChunk } from "./demo-client.ts";
import type { StreamCallOptions } from "../src/options.ts";
import type { EventStream } from "../src/result.ts";

export const chunk = (content: string, finish_reason: "stop" | null = null): ChatCompletionChunk => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

export const whole: string = events(chunk("Hel"), chunk("lo"), chunk("", "stop"));
export const ask = { model: "m", messages: [], stream: true } as const;

export type ChatStream = EventStream<ChatCompletionChunk, ChatCompletion>;

/** Opens a stream of the demo client over a response. */
export async function open(response: Response, options?: StreamCallOptions): Promise<ChatStream> {
  return demo([() => response]).client.chat.completions.create(ask, options);
}

/** The text of each chunk. */
export async function texts(stream: AsyncIterable<ChatCompletionChunk>): Promise<string[]> {
  const found: string[] = [];
  for await (const { choices } of stream) found.push(choices[0]?.delta.content ?? "");
  return found;
}

/** An endless body that records whether it was cancelled. */
export function endless(): { response: Response; state: { cancelled: boolean } } {
  const state = { cancelled: false };
  const piece = new TextEncoder().encode(`data: ${JSON.stringify(chunk("x"))}\n\n`);
  const body = new ReadableStream({ pull: (to) => to.enqueue(piece), cancel: () => void (state.cancelled = true) });
  return { response: new Response(body, { headers: { "content-type": "text/event-stream" } }), state };
}
