import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers";
import { frames, kinds, type Kind } from "./calls.ts";

/** One request that gets a fault. */
export interface Scene {
  readonly kind: Kind;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The body of a successful response. */
  readonly body: string;
  /** Another origin, which responds to this call normally. */
  readonly elsewhere: string;
  /** Another origin, which has no server. */
  readonly nowhere: string;
}

/**
 * The required outcomes of our client with one fault, in the order of `kinds`: how many times the request was sent, the
 * result, "?" if the error has `outcomeUnknown`, and the wait in the error. `-`: the fault does not apply.
 */
export type Outcomes = readonly [string, string, string, string, string, string, string];

/** A fault, and how it is played. */
export interface Fault {
  readonly title: string;
  readonly outcomes: Outcomes;
  /** `undefined`: there is no server. */
  readonly play: ((scene: Scene) => void) | undefined;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The message of the service. An error without it has lost it. */
  readonly message?: string;
  /** The number of stream pieces after which the caller aborts the call. */
  readonly stopAfter?: number;
  /** Whether the fault meets a connection that was used before. */
  readonly isReused?: boolean;
  /** The tolerance of the wait in milliseconds: a date has whole seconds, and time passes. */
  readonly slack?: number;
}

const wrong = "1 wrong value";
const [piece = ""] = frames;
const message = "It failed: no memory is left.";

/** A redirect that most runtimes refuse: Bun blocks no port. */
export const blockedPort = "redirect to a blocked port";

const typeOf = (kind: Kind): string => (kind === "stream" ? "text/event-stream" : "application/json");

/** Writes raw bytes instead of a response of Node. */
const raw = ({ request: { socket } }: Scene, text: string): typeof socket => {
  socket.write(text);
  return socket;
};
const head = ({ kind }: Scene, headers: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${typeOf(kind)}\r\nconnection: close\r\n${headers}\r\n\r\n`;
const soon = (act: () => void): void => void setTimeout(act, 10);

const answer =
  (status: number, type: string | undefined, body: string, headers: Record<string, string> = {}) =>
  ({ kind, response }: Scene): void =>
    void response.writeHead(status, { "content-type": type ?? typeOf(kind), ...headers }).end(body);

const failed = (status: number, headers: Record<string, string> = {}): Fault["play"] =>
  answer(status, "application/json", '{"detail":"It failed."}', headers);

const start = (scene: Scene, piece: string): void =>
  void scene.response.writeHead(200, { "content-type": typeOf(scene.kind) }).write(piece);
const firstPiece = ({ kind, body }: Scene): string => (kind === "stream" ? piece : body.slice(0, 9));

const events =
  (...pieces: string[]) =>
  ({ response }: Scene): void => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    response.end();
  };

/**
 * Endless data, up to more than a parser may hold; then it stops, so that a client that holds everything does not run
 * forever.
 */
const endless = (scene: Scene): void => {
  start(scene, scene.kind === "stream" ? "data: " : '{"more":"');
  const piece = " ".repeat(2 ** 17);
  let left = 96;
  const writeNext = (): void => {
    if (!scene.response.destroyed && left-- > 0) scene.response.write(piece, () => setTimeout(writeNext, 4));
  };
  writeNext();
};

const all = (outcome: string): Outcomes => [outcome, outcome, outcome, outcome, outcome, outcome, outcome];
const streamed = (outcome: string): Outcomes => ["-", "-", "-", "-", outcome, "-", "-"];

/** What happened at the service is unknown: only requests that are safe to repeat are retried. */
const open = (error: string, suffix = "", stream = `3 ${error}${suffix}`): Outcomes => {
  const resent = `3 ${error}${suffix}`;
  const unknown = `1 ${error} ?${suffix}`;
  return [resent, resent, unknown, unknown, stream, resent, "2 value"];
};

/** The same, if a second request would not help either. */
const final = (error: string, suffix = "", stream = `1 ${error}${suffix}`): Outcomes => {
  const once = `1 ${error}${suffix}`;
  const unknown = `1 ${error} ?${suffix}`;
  return [once, once, unknown, unknown, stream, once, once];
};

/** The service did nothing: every request may be retried. */
const refused = (error: string, suffix = ""): Outcomes => {
  const resent = `3 ${error}${suffix}`;
  return [resent, resent, resent, resent, resent, resent, "2 value"];
};

/** With a key, a 409 with a wait means that the first request is still running; without one it is a final error. */
const running = (suffix: string): Outcomes => {
  const resent = `3 ConflictError${suffix}`;
  const once = `1 ConflictError${suffix}`;
  return [resent, resent, once, once, resent, resent, "2 value"];
};

/** A status with each form of `Retry-After`: without a valid one, with a wait that the client obeys, and with a longer one. */
function hinted(
  status: number,
  plain: Outcomes,
  waits: (suffix: string) => Outcomes,
  tooLong: (suffix: string) => Outcomes,
): Fault[] {
  const rows: [title: string, outcomes: Outcomes, header?: () => string, retryAfterMs?: number][] = [
    ["", plain],
    [", Retry-After: 2", waits(", wait 2 s"), () => "2", 2000],
    [", Retry-After: 90", tooLong(", wait 90 s"), () => "90", 90_000],
    [", Retry-After: a date", waits(", wait 30 s"), () => new Date(Date.now() + 31_000).toUTCString(), 30_000],
    [", Retry-After: nonsense", plain, () => "soon"],
    [", Retry-After: 1e99, which is no number of seconds", plain, () => "1e99"],
  ];
  return rows.map(([title, outcomes, header, retryAfterMs]) => {
    const play: Fault["play"] = (scene) => failed(status, header && { "retry-after": header() })?.(scene);
    return { title: `${status}${title}`, outcomes, play, retryAfterMs, slack: title.endsWith("a date") ? 8000 : 0 };
  });
}

const fault = (title: string, outcomes: Outcomes, play: Fault["play"], more: Partial<Fault> = {}): Fault => ({
  title,
  outcomes,
  play,
  ...more,
});

/** A redirect, in whose address `{elsewhere}` and `{nowhere}` are the origins of a scene. */
const redirected = (status: number, to: string) => (scene: Scene) => {
  const location = to.replace("{elsewhere}", scene.elsewhere + scene.request.url).replace("{nowhere}", scene.nowhere);
  scene.response.writeHead(status, { location }).end();
};

/** A redirect after which browsers send a GET: only the calls that are one are followed. */
const turning = (status: number): Fault[] => {
  const [, keyed, unkeyed, , stream] = final("ConfigurationError");
  const [lost, , , never] = open("ConnectionError");
  const found: Outcomes = ["1 value", keyed, unkeyed, "1 value", stream, "1 value", "1 value"];
  const nobody: Outcomes = [lost, keyed, unkeyed, never, stream, lost, "2 value"];
  return [
    fault(`${status} to another origin`, found, redirected(status, "{elsewhere}")),
    fault(`${status} to nobody`, nobody, redirected(status, "{nowhere}")),
  ];
};

const rows: readonly Fault[] = [
  fault("none", all("1 value"), (scene) => answer(200, undefined, scene.body)(scene)),
  fault("connection refused", refused("ConnectionError"), undefined),
  fault("reset before the headers", open("ConnectionError"), ({ request }) => void request.socket.resetAndDestroy()),
  fault("reset within the headers", open("ConnectionError"), (scene) => {
    const socket = raw(scene, "HTTP/1.1 200 OK\r\ncontent-t");
    soon(() => socket.resetAndDestroy());
  }),
  // A stream is returned after its headers. From then on the caller has a part of it, and it is not retried.
  fault("reset after the headers", open("ConnectionError", "", "1 StreamError"), (scene) => {
    const socket = raw(scene, `${head(scene, "content-length: 999")}${firstPiece(scene)}`);
    soon(() => socket.resetAndDestroy());
  }),
  fault("closed without an answer", open("ConnectionError"), ({ request }) => void request.socket.end()),
  fault("stalls before the headers", open("TimeoutError"), () => {}),
  fault("stalls in the body", open("TimeoutError", "", "-"), (scene) => start(scene, firstPiece(scene))),
  fault("stalls in the stream", streamed("1 TimeoutError"), (scene) => start(scene, piece)),
  ...hinted(
    408,
    open("ApiError"),
    (suffix) => open("ApiError", suffix),
    (suffix) => final("ApiError", suffix),
  ),
  ...hinted(409, all("1 ConflictError"), running, (suffix) => all(`1 ConflictError${suffix}`)),
  ...hinted(
    429,
    refused("RateLimitError"),
    (suffix) => refused("RateLimitError", suffix),
    (suffix) => all(`1 RateLimitError${suffix}`),
  ),
  fault("500", open("ServerError"), failed(500)),
  fault("500 with an empty body", open("ServerError"), answer(500, "text/plain", "")),
  fault("502 with HTML", open("ServerError"), answer(502, "text/html", "<html><h1>Bad Gateway</h1></html>")),
  fault("503", open("ServerError"), failed(503)),
  fault("503, Retry-After: 2", open("ServerError", ", wait 2 s"), failed(503, { "retry-after": "2" }), {
    retryAfterMs: 2000,
  }),
  fault("524", open("ServerError"), failed(524)),
  // An unreadable success is final: a retry would only repeat the effect.
  fault("200 with HTML", final("DecodeError"), answer(200, "text/html", "<html><h1>Welcome</h1></html>")),
  fault("200 with JSON that is cut", final("DecodeError"), (scene) =>
    answer(200, "application/json", scene.body.slice(0, 20))(scene),
  ),
  // The interface does not say what these answers have, so only validators check them; pages and streams are recognized by
  // their form, and an empty object is an empty page.
  fault(
    "200 with {}",
    [wrong, wrong, wrong, wrong, "1 DecodeError", wrong, "2 value"],
    answer(200, "application/json", "{}"),
  ),
  ...['{"ok":true}', "5"].map((body) =>
    fault(
      `200 with ${body}`,
      [wrong, wrong, wrong, wrong, "1 DecodeError", "1 DecodeError", "1 DecodeError"],
      answer(200, "application/json", body),
    ),
  ),
  fault(
    "200 with JSON that says an error",
    final("ApiError"),
    answer(200, "application/json", `{"error":{"message":"${message}"}}`),
    { message },
  ),
  fault("200 with JSON that is malformed", final("DecodeError"), answer(200, "application/json", '{"id": words}')),
  fault("404 with a header that echoes the key", all("1 NotFoundError"), (scene) =>
    answer(404, "application/json", "{}", { "x-echo": `${scene.request.headers.authorization}` })(scene),
  ),
  fault("200 with an empty body", final("DecodeError", "", "1 StreamError"), answer(200, undefined, "")),
  ...[301, 302, 303].flatMap(turning),
  fault("307 to another origin", all("1 value"), redirected(307, "{elsewhere}")),
  fault("307 to nobody", open("ConnectionError"), redirected(307, "{nowhere}")),
  fault(blockedPort, final("ConfigurationError"), redirected(307, "http://127.0.0.1:1/")),
  fault("redirect to a malformed address", final("ConfigurationError"), redirected(307, "http://[")),
  fault("redirect to a file", final("ConfigurationError"), redirected(307, import.meta.url)),
  fault("redirect without an end", final("ConfigurationError"), redirected(307, "{elsewhere}&loop")),
  fault("body that a `fetch` has read", final("ConfigurationError"), (scene) =>
    answer(200, undefined, scene.body, { "x-body": "read" })(scene),
  ),
  // No stream is read as one text.
  fault("body that is too long for a text", final("TrainyardError", "", "1 value"), (scene) =>
    answer(200, undefined, scene.body, { "x-body": "long" })(scene),
  ),
  fault("endless body", open("TimeoutError", "", "1 StreamError"), endless),
  fault("gzip that lies", open("ConnectionError", "", "1 StreamError"), (scene) =>
    answer(200, undefined, scene.body, { "content-encoding": "gzip" })(scene),
  ),
  fault("stream that is cut", streamed("1 StreamError"), events(piece)),
  ...(["", ": ping\n\n", piece] as const).map((text) =>
    fault(`stream reset after ${JSON.stringify(text.slice(0, 6))}`, streamed("1 StreamError"), (scene) => {
      const socket = raw(scene, head(scene, "content-length: 999").replace("connection: close\r\n", "") + text);
      soon(() => socket.resetAndDestroy());
    }),
  ),
  fault(
    "stream with an `error` event",
    streamed("1 StreamError"),
    events(piece, `event: error\ndata: {"error":{"message":"${message}"}}\n\n`),
    { message },
  ),
  fault(
    "stream with an `error` event, a message alone",
    streamed("1 StreamError"),
    events(piece, `event: error\ndata: {"message":"${message}"}\n\n`),
    { message },
  ),
  // Not one more piece.
  fault(
    "stopped at the first of 100 chunks that are there",
    streamed("1 AbortError"),
    events(piece.repeat(100) + frames.slice(1).join("")),
    { stopAfter: 1 },
  ),
  fault(
    "stream with an event that is not JSON",
    streamed("1 StreamError"),
    events(piece, 'data: {"id":"c\n\n', ...frames.slice(1)),
  ),
  fault(
    "stream with lone `\\r`",
    streamed("1 value"),
    events(
      ...frames
        .join("")
        .replaceAll("\n", "\r")
        .split(/(?<=\r)/),
    ),
  ),
];

/**
 * The faults, in the order of the tests. Those after which a runtime could repeat a request by itself, because the connection
 * broke or the status is 408, also meet a connection that was used before.
 */
export const faults: readonly Fault[] = [
  ...rows,
  ...rows
    .filter(({ outcomes }) => outcomes.some((outcome) => /(Connection|Api)Error \?$/.test(outcome)))
    .map((row) => ({ ...row, title: `${row.title}, on a used connection`, isReused: true })),
];

/** Whether the response never continues, so that only a time limit ends the call. */
export function stalls({ outcomes }: Fault): boolean {
  return outcomes.some((outcome) => outcome.includes("TimeoutError"));
}

/** Whether a fault is played against a kind of call. */
export function applies({ outcomes }: Fault, kind: Kind): boolean {
  return outcomes[kinds.indexOf(kind)] !== "-";
}
