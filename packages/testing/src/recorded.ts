import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A request of a client that nobody here wrote, as it was recorded, and the status that it is to be answered with. */
export interface RecordedCall {
  /** The line of the fixture, from 1. */
  readonly line: number;
  /** `loop`: what a training run sends from its first request to its last. `edge`: what clients send besides. */
  readonly part: "loop" | "edge";
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: number;
  /** `state` where only a service that remembers what it was sent can refuse the request. */
  readonly knows?: "state";
}

/** The requests of a training client in use, in their order. Names in braces stand for ids of earlier answers. */
export function recordedTrainingClient(): RecordedCall[] {
  const text = readFileSync(join(import.meta.dirname, "../fixtures/training-client.jsonl"), "utf8");
  const lines = text.trim().split("\n");
  return lines.map((line, index) => ({ line: index + 1, ...JSON.parse(line) }));
}

/** Where recorded requests are sent. */
export interface ReplayTarget {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: (input: string, init?: RequestInit) => Promise<Response>;
}

/** Sends a recorded request, with the ids that earlier answers gave. Ids of its answer are added to them. */
export async function replay(
  call: RecordedCall,
  { baseUrl, apiKey, fetch }: ReplayTarget,
  ids: Map<string, string>,
): Promise<{ readonly status: number; readonly text: string }> {
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (whole, name) => ids.get(name) ?? whole);
  const response = await fetch(baseUrl + fill(call.path), {
    method: call.method,
    headers: { ...call.headers, authorization: `Bearer ${apiKey}` },
    ...(call.body !== null && { body: fill(JSON.stringify(call.body)) }),
  });
  const text = await response.text();
  const kind = call.path === "/v1/preview/models" ? "model" : call.path.endsWith("training-jobs") ? "job" : undefined;
  if (response.ok && kind !== undefined && call.method === "POST") {
    const name = ids.has(`${kind}_id`) ? `${kind}_id_2` : `${kind}_id`;
    if (!ids.has(name)) ids.set(name, JSON.parse(text).id);
  }
  return { status: response.status, text };
}

/** What a server of chat that nobody here wrote answers with. */
export interface RecordedBackEnd {
  readonly backEnd: string;
  /** Its list of models; null where it has none. */
  readonly models: { readonly data: readonly { readonly id: string }[] } | null;
  /** A name that it answers to. */
  readonly model: string;
  readonly completion: unknown;
  readonly chunks: readonly unknown[];
  /** What it says of a model that it does not know. */
  readonly unknown: { readonly status: number; readonly body: unknown };
}

/** The answers of servers of chat in use. */
export function recordedBackEnds(): RecordedBackEnd[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures/back-ends.json"), "utf8"));
}

/** The requests that one call of a library sends. */
export interface RecordedLibraryCall {
  /** The line of the fixture, from 1. */
  readonly line: number;
  readonly library: string;
  readonly name: string;
  /** Paths stand below the address of the inference service; training has the chat below `/v1`. */
  readonly calls: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    /** What the inference service is to answer; training says 422 in place of 400. */
    readonly status: number;
  }[];
}

/** Where the requests of libraries lie. */
export const libraryFixture: string = join(import.meta.dirname, "../fixtures/libraries.jsonl");

/** What libraries in use send, call by call. Requests that a library itself gave up before an answer are left out. */
export function recordedLibraries(): RecordedLibraryCall[] {
  const lines = readFileSync(libraryFixture, "utf8").trim().split("\n");
  return lines.map((line, index) => {
    const call: RecordedLibraryCall = { line: index + 1, ...JSON.parse(line) };
    return { ...call, calls: call.calls.filter(({ status }) => status > 0) };
  });
}
