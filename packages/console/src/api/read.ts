import type { NameIn, Reads } from "./answers.ts";

/** What is read. Undefined and empty values of the query are omitted. */
export interface Ask<P extends keyof Reads> {
  readonly path: P;
  /** The values in the path. */
  readonly params?: Readonly<Record<NameIn<P>, string>>;
  readonly query?: { readonly [Name in keyof Reads[P]["query"]]?: Reads[P]["query"][Name] | "" | undefined };
  /** Further conditions, as they are in an address. The server refuses names that it does not know. */
  readonly filter?: Query | undefined;
}

/** Names and values of a query. A list repeats its name. */
export type Query = Readonly<Record<string, string | number | undefined | readonly string[]>>;

/** Why a read failed: the status, or 0 if there was no response. */
export class ReadError extends Error {
  override readonly name = "ReadError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** What was thrown while a response was read. */
  static of(error: unknown): ReadError {
    return error instanceof ReadError ? error : new ReadError(0, String(error));
  }
}

let prefix = "";

/** Sets the path that a proxy adds in front of the server's. */
export function readBelow(path: string): void {
  prefix = path;
}

/** The address of what is read. */
export function urlOf<P extends keyof Reads>({ path, params, query, filter }: Ask<P>): string {
  const values: Readonly<Record<string, unknown>> = params ?? {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  return withQuery(`${prefix}/_local${filled}`, { ...filter, ...query });
}

/** An address with a query. Undefined and empty values are omitted. */
export function withQuery(address: string, query: object): string {
  const values = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .filter(([, value]) => value !== undefined && value !== "");
  return values.length === 0 ? address : `${address}?${new URLSearchParams(values).toString()}`;
}

/** Reads from the local server, with the cookie of the console. */
export async function read<P extends keyof Reads>(request: Ask<P>, signal?: AbortSignal): Promise<Reads[P]["answer"]> {
  let tag = "";
  try {
    const response = await send(urlOf(request), signal && { signal });
    tag = response.headers.get("etag") ?? "";
    return (await response.json()) as Reads[P]["answer"];
  } finally {
    answered(Number(/\d+/.exec(tag)?.[0] ?? 0));
  }
}

let reading = 0;

/** Counts the open reads of a page's data. While there are any, the style sheet shows a line, but not before it takes long. */
export function count(by: number): void {
  reading += by;
  document.documentElement.toggleAttribute("data-reading", isReading());
}

export function isReading(): boolean {
  return reading > 0;
}

let answered: (seq: number) => void = () => undefined;

/**
 * The number of the last change before the first response, from its `ETag`; 0 if it has none, or if the request failed.
 * If a page asks for the changes after that number, it misses none that happened while it was loaded.
 */
export const firstAnswer: Promise<number> = new Promise((resolve) => {
  answered = resolve;
});

/** Exchanges the code of the printed address for the cookie. */
export async function openConsole(code: string): Promise<void> {
  await send(`${prefix}/_local/console/session`, {
    method: "POST",
    body: JSON.stringify({ code }),
    headers: { "Content-Type": "application/json" },
  });
}

/** Sends a request to the local server. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

let ask: Send = (url, init) => fetch(url, init);

/** Replaces `fetch`, for a page that contains the local server. */
export function askBy(send: Send): void {
  ask = send;
}

/** Reads JSON Lines as they arrive. It ends with the signal, and so does the server's work. */
export async function* readLines<T>(url: string, signal: AbortSignal): AsyncGenerator<T> {
  const { body } = await send(url, { signal });
  let rest = "";
  for (const reader = body?.pipeThrough(new TextDecoderStream()).getReader(); ;) {
    const { done = true, value = "" } = (await reader?.read()) ?? {};
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as T;
    if (done) return;
  }
}

async function send(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await ask(url, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : new ReadError(0, "The server does not respond.");
  });
  if (response.ok) return response;
  const { detail } = ((await response.json().catch(() => null)) ?? {}) as { detail?: unknown };
  const faults = Array.isArray(detail) ? (detail as { loc: unknown[]; msg: string; type: string }[]) : [];
  // The page is of another version than the server.
  if (response.status === 404 && String(detail).startsWith("No operation matches"))
    throw new ReadError(404, "The server no longer has what this page reads. Reload this page.");
  const sentences = faults.map(({ loc, msg, type }) =>
    type === "extra_forbidden" ? msg : `${loc.slice(1).join(" ")}: ${msg}`,
  );
  const otherwise = sentences.join(" ") || `The server returned the status ${response.status}.`;
  throw new ReadError(response.status, typeof detail === "string" ? detail : otherwise);
}
