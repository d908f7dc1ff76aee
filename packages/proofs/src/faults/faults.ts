import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers";
import { frames, goodBody, type Kind } from "./calls.ts";
import { hintedStatuses } from "./outcomes.ts";

/** One request that gets a fault. */
export interface Scene {
  readonly kind: Kind;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The body of a successful response. */
  readonly body: string;
  /** Another origin, which responds to this call normally. */
  readonly elsewhere: string;
}

/** A fault, and how it is played. */
export interface Fault {
  readonly title: string;
  /** `undefined`: there is no server. */
  readonly play: ((scene: Scene) => void) | undefined;
  /** Whether it applies only to streams, or to everything else. Default: to each kind of call. */
  readonly only?: "stream" | "body";
  /** Whether the response never continues, so that only a time limit ends it. */
  readonly stalls?: boolean;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfterMs?: number;
  /** The message of the service. An error without it has lost it. */
  readonly message?: string;
  /** The number of stream pieces after which the caller aborts the call. */
  readonly stopAfter?: number;
  /** The tolerance of the wait in milliseconds: a date has whole seconds, and time passes. */
  readonly slack?: number;
}

const message = "It failed: no memory is left.";

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
const firstPiece = ({ kind, body }: Scene): string => (kind === "stream" ? (frames[0] ?? "") : body.slice(0, 9));

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

const hints: readonly {
  readonly title: string;
  readonly header?: () => string;
  readonly retryAfterMs?: number;
  readonly slack?: number;
}[] = [
  { title: "" },
  { title: ", Retry-After: 2", header: () => "2", retryAfterMs: 2000 },
  { title: ", Retry-After: 90", header: () => "90", retryAfterMs: 90_000 },
  {
    title: ", Retry-After: a date",
    header: () => new Date(Date.now() + 31_000).toUTCString(),
    retryAfterMs: 30_000,
    slack: 8000,
  },
  { title: ", Retry-After: nonsense", header: () => "soon" },
  // Still a number of seconds, and longer than anyone waits.
  { title: ", Retry-After: 1e99", header: () => "1e99", retryAfterMs: 1e102 },
];

const hinted = (status: number): Fault[] =>
  hints.map(({ title, header, ...expected }) => ({
    title: `${status}${title}`,
    play: (scene) => failed(status, header && { "retry-after": header() })?.(scene),
    ...expected,
  }));

/** The faults, in the order of the rows. */
export const faults: readonly Fault[] = [
  { title: "none", play: (scene) => answer(200, undefined, scene.body)(scene) },
  { title: "connection refused", play: undefined },
  { title: "reset before the headers", play: ({ request }) => void request.socket.resetAndDestroy() },
  {
    title: "reset within the headers",
    play: (scene) => {
      const socket = raw(scene, "HTTP/1.1 200 OK\r\ncontent-t");
      soon(() => socket.resetAndDestroy());
    },
  },
  {
    title: "reset after the headers",
    play: (scene) => {
      const socket = raw(scene, `${head(scene, "content-length: 999")}${firstPiece(scene)}`);
      soon(() => socket.resetAndDestroy());
    },
  },
  { title: "closed without an answer", play: ({ request }) => void request.socket.end() },
  { title: "stalls before the headers", play: () => {}, stalls: true },
  {
    title: "stalls in the body",
    only: "body",
    play: (scene) => start(scene, firstPiece(scene)),
    stalls: true,
  },
  {
    title: "stalls in the stream",
    only: "stream",
    play: (scene) => start(scene, firstPiece(scene)),
    stalls: true,
  },
  ...Object.keys(hintedStatuses).flatMap((status) => hinted(Number(status))),
  { title: "500", play: failed(500) },
  { title: "500 with an empty body", play: answer(500, "text/plain", "") },
  { title: "502 with HTML", play: answer(502, "text/html", "<html><h1>Bad Gateway</h1></html>") },
  { title: "503", play: failed(503) },
  { title: "503, Retry-After: 2", play: failed(503, { "retry-after": "2" }), retryAfterMs: 2000 },
  { title: "524", play: failed(524) },
  { title: "200 with HTML", play: answer(200, "text/html", "<html><h1>Welcome</h1></html>") },
  {
    title: "200 with JSON that is cut",
    play: (scene) => answer(200, "application/json", scene.body.slice(0, 20))(scene),
  },
  { title: "200 with JSON of something else", play: answer(200, "application/json", '{"ok":true}') },
  {
    title: "200 with JSON that says an error",
    only: "stream",
    play: answer(200, "application/json", `{"error":{"message":"${message}"}}`),
    message,
  },
  { title: "200 with an empty body", play: answer(200, undefined, "") },
  {
    title: "redirect to another origin",
    play: ({ request, response, elsewhere }) =>
      void response.writeHead(307, { location: elsewhere + request.url }).end(),
  },
  {
    title: "redirect to a file",
    play: ({ response }) => void response.writeHead(307, { location: import.meta.url }).end(),
  },
  { title: "endless body", play: endless, stalls: true },
  {
    title: "gzip that lies",
    play: (scene) => answer(200, undefined, scene.body, { "content-encoding": "gzip" })(scene),
  },
  { title: "stream that is cut", only: "stream", play: events(frames[0] ?? "") },
  {
    title: "stream with an `error` event",
    only: "stream",
    play: events(frames[0] ?? "", `event: error\ndata: {"error":{"message":"${message}"}}\n\n`),
    message,
  },
  {
    title: "stream with an `error` event, a message alone",
    only: "stream",
    play: events(frames[0] ?? "", `event: error\ndata: {"message":"${message}"}\n\n`),
    message,
  },
  {
    title: "stopped at the first of 100 chunks that are there",
    only: "stream",
    play: ({ response }) =>
      void response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end((frames[0] ?? "").repeat(100) + frames.slice(1).join("")),
    stopAfter: 1,
  },
  {
    title: "stream with an event that is not JSON",
    only: "stream",
    play: events(frames[0] ?? "", 'data: {"id":"c\n\n', ...frames.slice(1)),
  },
  {
    title: "stream with lone `\\r`",
    only: "stream",
    play: events(
      ...goodBody("stream", 0)
        .replaceAll("\n", "\r")
        .split(/(?<=\r)/),
    ),
  },
];

/** Whether a fault is played against a kind of call. */
export function applies({ only }: Fault, kind: Kind): boolean {
  return only === undefined || (only === "stream") === (kind === "stream");
}
