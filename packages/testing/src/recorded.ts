import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A recorded request of a foreign client, and the expected status of its response. */
export interface RecordedCall {
  /** The line of the fixture, from 1. */
  readonly line: number;
  /** `loop`: requests of a training run, from the first to the last. `edge`: other requests of clients. */
  readonly part: "loop" | "edge";
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: number;
  /** `state` if only a service that remembers earlier requests can reject this one. */
  readonly knows?: "state";
}

/** The requests of a training client in use, in order. Names in braces stand for ids of earlier responses. */
export function recordedTrainingClient(): RecordedCall[] {
  return linesOf(join(import.meta.dirname, "../fixtures/training-client.jsonl"));
}

/** The values of a file of JSON Lines, each with the number of its line. */
function linesOf<Line extends { readonly line: number }>(file: string): Line[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line, index) => ({ line: index + 1, ...JSON.parse(line) }));
}

/** Sends a recorded request with the ids of earlier responses, and adds the ids of its response to them. */
export async function replay(
  call: RecordedCall,
  { baseUrl, apiKey, fetch }: { baseUrl: string; apiKey: string; fetch: typeof globalThis.fetch },
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

/** The responses of a foreign chat server. */
export interface RecordedBackEnd {
  readonly backEnd: string;
  /** Its list of models; null if it has none. */
  readonly models: { readonly data: readonly { readonly id: string }[] } | null;
  /** A model name that it accepts. */
  readonly model: string;
  readonly completion: unknown;
  readonly chunks: readonly unknown[];
  /** Its response to an unknown model. */
  readonly unknown: { readonly status: number; readonly body: unknown };
}

/** The responses of chat servers in use. */
export function recordedBackEnds(): RecordedBackEnd[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures/back-ends.json"), "utf8"));
}

/** The requests that one call of a library sends. */
export interface RecordedLibraryCall {
  /** The line of the fixture, from 1. */
  readonly line: number;
  readonly library: string;
  readonly name: string;
  /** Paths are relative to the address of the inference service; the training service has chat below `/v1`. */
  readonly calls: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    /** The expected status of the inference service; the training service returns 422 instead of 400. */
    readonly status: number;
  }[];
}

/** The file of the requests of libraries. */
export const libraryFixture: string = join(import.meta.dirname, "../fixtures/libraries.jsonl");

/** The requests of libraries in use, call by call. Requests that a library cancelled before the response are left out. */
export function recordedLibraries(): RecordedLibraryCall[] {
  return linesOf<RecordedLibraryCall>(libraryFixture).map((call) => {
    return { ...call, calls: call.calls.filter(({ status }) => status > 0) };
  });
}
