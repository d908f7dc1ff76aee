import type { Operation } from "@trainyard/document";
import { chatAnswer, chatChunks } from "./planned-chat.ts";
import type { PlannedAnswer } from "./planned-faults.ts";
import type { CommonHeaders } from "./response.ts";
import { streamEvents, wantsStream } from "./streams.ts";

/**
 * Creates the response of a plan with events or a chat: a stream if the request asks for one.
 *
 * @param sent the body of the request
 * @returns the response, or a sentence that says why there is none
 */
export function plannedEvents(
  operation: Operation,
  plan: PlannedAnswer,
  sent: unknown,
  common: CommonHeaders,
): Response | string {
  const { stream, name } = operation;
  const { status = 200, chunks = [] } = plan;
  const isChat = stream?.fold === "chat";
  if (wantsStream(operation, sent)) {
    const text = eventText(isChat ? chatChunks(plan, sent) : chunks, stream?.end);
    const headers = { ...common, "Content-Type": "text/event-stream; charset=utf-8" };
    return new Response(streamEvents(text), { status, headers });
  }
  const body = isChat ? chatAnswer(plan, sent) : undefined;
  if (body === undefined) return `The response planned for ${name} is a stream, but the request does not ask for one.`;
  return new Response(JSON.stringify(body), { status, headers: { ...common, "Content-Type": "application/json" } });
}

/** Events in wire format: strings unchanged, anything else as JSON, then the end marker. */
function eventText(chunks: readonly unknown[], end: string | undefined): string {
  const data = chunks.map((chunk) => (typeof chunk === "string" ? chunk : JSON.stringify(chunk)));
  const lines = (text: string) => text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return [...data, ...(end === undefined ? [] : [end])].map((text) => `${lines(text).join("")}\n`).join("");
}
