import { marked, successAnswers, unmarked, type Operation } from "@trainyard/document";
import type { LiveService } from "../contract.ts";
import { curlOf, keysIn, withoutSecrets } from "../request.ts";
import type { Typed } from "./arguments.ts";
import type { CallTerminal } from "./command.ts";

/** Sends as `fetch` does, with the digits of numbers as they are, and prints what `-i` and `-v` ask for, without keys. */
export function watched(
  service: LiveService,
  operation: Operation,
  { include, verbose }: Typed["own"],
  { out, err, fetch: given = fetch }: CallTerminal,
): typeof fetch {
  const isJson = successAnswers(operation).accept === undefined;
  return async (url, { method = "GET", headers: all, body: content, ...init } = {}) => {
    const headers = Object.fromEntries([...new Headers(all)].map(([name, value]) => [name, unmarked(value)]));
    const body = typeof content === "string" ? unmarked(content) : content;
    const address = unmarked(url instanceof Request ? url.url : url.toString());
    const shown = typeof body === "string" ? body : body && new Uint8Array();
    if (verbose !== undefined)
      err(`${curlOf({ method, url: address, headers, body: shown ?? undefined }, service)}\n\n`);
    const response = await given(address, { ...init, method, headers, body: body ?? null });
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\n`).join("");
    const keys = keysIn(address, Object.entries(headers), service.document);
    const head = withoutSecrets(`HTTP/1.1 ${response.status} ${response.statusText}\n${lines}\n`, keys);
    if (include !== undefined) out(head);
    if (verbose !== undefined) err(head);
    const type = response.headers.get("content-type") ?? "";
    const isStream = /event-stream|jsonl|ndjson|json-(lines|seq)/i.test(type);
    return response.body !== null && (isJson || isStream || /json/i.test(type))
      ? new Response(withMarks(response.body, isStream), response)
      : response;
  };
}

/** A body whose numbers keep their digits. It passes as a whole, or by the lines of a stream. */
function withMarks(body: ReadableStream<Uint8Array<ArrayBuffer>>, isStream: boolean): ReadableStream {
  let rest = "";
  const lines = new TransformStream<string, string>({
    transform(part, controller) {
      rest += part;
      const end = isStream ? Math.max(rest.lastIndexOf("\n"), rest.lastIndexOf("\r")) + 1 : 0;
      controller.enqueue(marked(rest.slice(0, end)));
      rest = rest.slice(end);
    },
    flush: (controller) => controller.enqueue(marked(rest)),
  });
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(lines).pipeThrough(new TextEncoderStream());
}
