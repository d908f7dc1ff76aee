import {
  AbortError,
  ApiError,
  ConfigurationError,
  ConnectionError,
  createEngine,
  DecodeError,
  StreamError,
  TimeoutError,
} from "@trainyard/core";
import { isObject } from "@trainyard/core/validation";
import { textAccepted } from "../request.ts";
import type { LiveService } from "../service.ts";
import type { Operation } from "@trainyard/document";
import { callName } from "./find.ts";
import { engineService } from "./table.ts";
import type { Ready } from "./run.ts";

/** The output of a call. */
export interface Output {
  /** A JSON value: a response, an item of a list, or an event of a stream. */
  readonly value: (value: unknown) => void;
  /** A response that is text, unchanged. */
  readonly text: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Sends a call as a client does, with retries and timeouts, and returns the exit code. */
export async function send(
  service: LiveService,
  operation: Operation,
  ready: Ready,
  { value, text, err }: Output,
  signal: AbortSignal | undefined,
): Promise<number> {
  const name = callName(operation);
  const { baseUrl, credentials, fetch: own } = service;
  const printId = (id: string | null | undefined) => id && err(`request id ${id}\n`);
  try {
    const engine = createEngine(engineService(service.name, service.document, operation), {
      baseUrl,
      ...credentials,
      ...(own && { fetch: own }),
    });
    const { idempotencyKey, limit = Number.POSITIVE_INFINITY, path, query, headers, body } = ready;
    const options = { headers, ...(signal && { signal }), ...(idempotencyKey !== undefined && { idempotencyKey }) };
    const parts = { path, ...(body !== undefined && { body }) };
    if (operation.pagination !== undefined) {
      const size = pageSize(operation, limit);
      const pages = engine.page<unknown>(name, options, { ...parts, query: { ...query, ...size } });
      printId((await pages.withResponse()).requestId);
      let count = 0;
      if (limit > 0)
        for await (const item of pages) {
          value(item);
          if (++count >= limit) break;
        }
      return 0;
    }
    if (operation.stream !== undefined && isObject(body) && body[operation.stream.toggle] === true) {
      const fold = () => ({ add: () => undefined, value: () => undefined, partial: () => undefined });
      const unread = { ...options, accumulate: false };
      const streamed = engine.stream<true, unknown, unknown>(name, unread, { ...parts, query }, fold);
      const { data, requestId } = await streamed.withResponse();
      printId(requestId);
      for await (const event of data) value(event);
      return 0;
    }
    const { data, requestId } = await engine.call<unknown>(name, options, { ...parts, query }).withResponse();
    printId(requestId);
    if (typeof data === "string" && textAccepted(operation) !== undefined) text(data);
    else value(data);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    err(`${error.message}\n`);
    if (error instanceof ApiError) {
      printId(error.requestId);
      if (error.body !== undefined) value(error.body);
    }
    return exitCode(error);
  }
}

/** The page size is at most the limit. */
function pageSize({ parameters }: Operation, limit: number): Record<string, number> {
  const parameter = parameters.find(({ in: where, name }) => where === "query" && name === "limit");
  const most = parameter?.schema.node["maximum"];
  if (parameter === undefined || typeof most !== "number") return {};
  return { limit: Math.max(1, Math.min(most, limit)) };
}

/** The exit code for each class of error. */
export function exitCode(error: Error): number {
  if (error instanceof ConfigurationError) return 2;
  if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof AbortError) return 3;
  if (error instanceof StreamError || error instanceof DecodeError) return 9;
  if (!(error instanceof ApiError)) return 1;
  const { status } = error;
  if ([401, 402, 403].includes(status)) return 5;
  if (status === 404) return 6;
  if (status === 429 || status === 503) return 7;
  return status >= 500 ? 8 : 4;
}
