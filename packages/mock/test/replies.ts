import type { ClientOptions } from "@trainyard/core";
import * as fc from "fast-check";
import { anyString, arbitraryOf } from "@trainyard/testing";
import { answerSchema, statusesOf, type Case } from "@trainyard/testing/services";

/** The response to a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes, in chunks. */
  readonly pieces: readonly Uint8Array[];
  /** What follows the bytes: the end, a connection error, or nothing ever. */
  readonly after: "end" | "silence" | { readonly broken: unknown };
}
export type Happening = Reply | { readonly thrown: unknown } | "nothing";

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Errors of a network, and values that should not be thrown. */
export const thrown = fc.oneof(
  fc.constantFrom("ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET").map((code) => networkError(code)),
  fc.constant(new DOMException("This operation was aborted", "AbortError")),
  fc.constantFrom(undefined, null, 0, "broken", Symbol("broken")),
  fc.anything(),
);

function networkError(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

const html = "<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

/** Bodies: those of the operation, those of others, and invalid ones. */
function textsOf(entry: Case, streams: boolean): fc.Arbitrary<string> {
  const { operation, document, fits } = entry;
  const examples = [...operation.responses.values()].flatMap(({ content }) =>
    [...content.values()].flatMap(({ examples: named }) => [...named.values()]),
  );
  const fitting = arbitraryOf(document, answerSchema(entry, 200), fits).map((value) => JSON.stringify(value));
  const shown = fc
    .constantFrom(...examples)
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const shapes = fc.record(
    { data: fc.jsonValue(), has_more: fc.jsonValue(), detail: issues, error: fc.jsonValue(), reason: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const event = fc.oneof(
    fitting,
    shown,
    fc.json(),
    chunk.map((value) => JSON.stringify(value)),
    fc.string(),
  );
  const ending = fc.constantFrom("data: [DONE]\n\n", "\n\ndata: [DONE]", "event: error\ndata: {}\n\n", "");
  const framed = fc
    .tuple(fc.array(event, { maxLength: 4 }), fc.constantFrom("\n", "\r\n", "\r"), ending)
    .map(([list, line, end]) => list.map((text) => `data: ${text}${line}${line}`).join("") + end);
  const streamed = [...(operation.responses.get("200")?.content.get("text/event-stream")?.examples.values() ?? [])];
  return fc.oneof(
    ...(streams ? [{ arbitrary: fc.constantFrom(...streamed).map(String), weight: 5 }] : []),
    fitting,
    shown,
    fc.json(),
    shapes.map((value) => JSON.stringify(value)),
    { arbitrary: framed, weight: streams ? 15 : 1 },
    fc.constantFrom(
      "",
      " ",
      "null",
      "[]",
      "{}",
      '{"data":[null],"has_more":true}',
      html,
      "\uFEFF{}",
      '{"detail":[{"loc":[{"toString":0}],"msg":"","type":""}]}',
    ),
    anyString(),
  );
}

/** Values similar to the faults of a 422. */
const issues = fc.array(
  fc.record({ loc: fc.array(fc.jsonValue()), msg: fc.oneof(fc.string(), fc.jsonValue()), type: fc.jsonValue() }),
);

/** Values similar to a chunk of a chat completion. */
const chunk = fc.record(
  {
    choices: fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.record(
          {
            index: fc.oneof(fc.nat(2), fc.jsonValue()),
            delta: fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom("content", "tool_calls"), fc.jsonValue())),
            finish_reason: fc.oneof(fc.constantFrom("stop", null), fc.jsonValue()),
          },
          { requiredKeys: [] },
        ),
      ),
    ),
    usage: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

const contentTypes = [
  "application/json",
  "text/event-stream",
  "text/html; charset=utf-8",
  "application/json; charset=utf-16",
  "x",
];

// fast-check's own URLs take a second to create, too long for one header.
const address = fc
  .tuple(fc.constantFrom("http", "https"), fc.domain(), fc.string().map(encodeURIComponent), fc.nat(65_535))
  .map(([scheme, host, path, port]) => `${scheme}://${host}:${port}/${path}`);

/** Headers that clients act on. */
const headers = fc.record(
  {
    "content-type": fc.constantFrom(...contentTypes),
    "retry-after": fc.constantFrom("0", "1e9", "-1", "soon", "Fri, 31 Dec 9999 23:59:59 GMT"),
    "retry-after-ms": fc.constantFrom("0", "NaN", "99999999999999999999"),
    "x-should-retry": fc.constantFrom("true", "false", "perhaps"),
    "x-request-id": fc.stringMatching(/^[\x21-\x7e]{0,9}$/),
    location: fc.oneof(address, fc.constantFrom("", "/", "//", "http://", "file:///etc/passwd", "javascript:0")),
  },
  { requiredKeys: [] },
);
const streamHeaders = fc.constant({ "content-type": "text/event-stream" });

export function repliesOf(entry: Case, streams: boolean, afters: fc.Arbitrary<Reply["after"]>): fc.Arbitrary<Reply> {
  const whole = textsOf(entry, streams).map(encode);
  // Most responses arrive whole; the others are split at any byte.
  const cut = fc
    .tuple(whole, fc.nat(), fc.nat(3))
    .map(([all, at, rare]) => (rare ? all : all.slice(0, at % (all.length + 1))));
  const bytes = fc.oneof({ arbitrary: cut, weight: 9 }, fc.uint8Array());
  const pieces = fc.tuple(bytes, fc.nat()).map(([all, at]) => {
    const middle = at % (all.length + 1);
    return [all.slice(0, middle), all.slice(middle)].filter((piece) => piece.length > 0);
  });
  const declared = fc.constantFrom(...statusesOf(entry.operation));
  return fc.record({
    status: fc.oneof({ arbitrary: fc.constant(200), weight: 3 }, declared, fc.integer({ min: 200, max: 599 })),
    headers: streams ? fc.oneof({ arbitrary: streamHeaders, weight: 4 }, headers) : headers,
    pieces,
    after: afters,
  });
}

/** The document's first example of a success, as the last page if it is a page. */
export function exampleReply({ operation }: Case, streams: boolean): Reply {
  const type = streams ? "text/event-stream" : "application/json";
  const [example] = operation.responses.get("200")?.content.get(type)?.examples.values() ?? [];
  const isLast = (key: string, value: unknown) => (key === "has_more" ? false : value);
  const text = typeof example === "string" ? example : JSON.stringify(example, isLast);
  return { status: 200, headers: { "content-type": type }, pieces: [encode(text)], after: "end" };
}

/** A `fetch` with the given reply. */
export function fetchThat(happening: Happening): NonNullable<ClientOptions["fetch"]> {
  return async () => {
    if (happening === "nothing") return new Promise(() => {});
    if ("thrown" in happening) throw happening.thrown;
    const { status, pieces, after } = happening;
    const empty = [204, 205, 304].includes(status);
    const rest = [...pieces];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = rest.shift();
        if (piece) return controller.enqueue(piece);
        if (after === "end") return controller.close();
        if (typeof after === "object") return controller.error(after.broken);
        return new Promise(() => {});
      },
    });
    return new Response(empty ? null : body, { status, headers: happening.headers });
  };
}
