import type { Operation } from "@trainyard/document";
import { exampleHeader } from "@trainyard/host";
import type { Sent } from "../request.ts";
import { parse } from "../text.ts";
import type { LiveService } from "../contract.ts";

/** A response with its whole body. */
export interface Answer {
  /** 0 if there was no response. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: { readonly value: unknown } | undefined;
  readonly isUtf8: boolean;
  /** Whether the service marks the response as an example of its document, as a mock does: it performed nothing. */
  readonly isExample: boolean;
  /** Why there is no response, or no complete one. */
  readonly broken: string | undefined;
}

export interface Exchange {
  readonly service: LiveService;
  readonly operation: Operation | undefined;
  readonly sent: Sent;
  readonly body?: unknown;
  readonly path: Readonly<Record<string, string>>;
  readonly answer: Answer;
  /** What was tried, in a few words: `without a key`. */
  readonly tried: string;
  /** The expected statuses, if any. */
  readonly expected?: readonly number[] | undefined;
}

/** Whether a response is a success that the service performed, and not an example. */
export function isPerformed({ answer }: Exchange): boolean {
  return answer.status >= 200 && answer.status < 300 && !answer.isExample && answer.broken === undefined;
}

/** How long to wait for a complete response, in seconds. */
const longestAnswer = 30;

export async function ask(send: typeof fetch, { url, ...init }: Sent): Promise<Answer> {
  const signal = AbortSignal.timeout(longestAnswer * 1000);
  let [status, headers] = [0, new Headers()];
  const pieces: Uint8Array[] = [];
  let broken: string | undefined;
  try {
    const response = await send(url, { ...init, body: init.body ?? null, redirect: "manual", signal });
    ({ status, headers } = response);
    if (response.body) for await (const piece of response.body) pieces.push(piece);
  } catch (error) {
    broken = signal.aborted
      ? `the response was not complete within ${longestAnswer} s`
      : `the connection broke${codeOf(error)}`;
  }
  return answerOf(status, headers, Buffer.concat(pieces), broken);
}

export function answerOf(status: number, headers: Headers, bytes: Buffer, broken: string | undefined): Answer {
  const text = bytes.toString("utf8");
  const isUtf8 = bytes.equals(Buffer.from(text));
  return { status, headers, text, json: parse(text), isUtf8, isExample: headers.has(exampleHeader), broken };
}

/** The code of a connection that failed, as `fetch` gives it: ` (ECONNREFUSED)`; empty if it has none. */
export function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
}
