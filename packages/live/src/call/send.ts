import {
  AbortError,
  answersOf,
  anyAnswer as any,
  ApiError,
  bodyAs,
  bytesAnswer as bytes,
  ConfigurationError,
  ConnectionError,
  createEngine,
  DecodeError,
  eventsAnswer as events,
  joinLists,
  jsonAnswer as json,
  noneAnswer as none,
  StreamError,
  textAnswer as text,
  TimeoutError,
  call,
  lineParser,
  paged,
  streamed,
  type ApiPromise,
  type CallOptions,
  type Engine,
  type Op,
  type PagePromise,
  type Send,
  type Operation as EngineOperation,
  type Service,
} from "@trainyard/core";
import {
  isKeyed,
  joinedLists,
  reservedQueries,
  sentType,
  successAnswers,
  wantsStream,
  type Operation,
} from "@trainyard/document";
import { bodyMedia, carrierOf, pathTexts, writerOf } from "../request.ts";
import type { CallTerminal } from "./command.ts";
import { callName, type LiveService } from "../contract.ts";
import type { Printer } from "./printer.ts";
import type { Ready } from "./run.ts";

/** Sends a call as a client does, with retries and timeouts, and returns the exit code. */
export async function send(
  service: LiveService,
  operation: Operation,
  { limit = Number.POSITIVE_INFINITY, timeoutMs, path, query, headers, body }: Ready,
  { err, signal }: CallTerminal,
  print: Printer,
): Promise<number> {
  const { baseUrl, credentials, fetch } = service;
  const printId = (id: string | null | undefined) => id && err(`request id ${id}\n`);
  try {
    const connection = { baseUrl, ...credentials, ...(fetch && { fetch }) };
    const options = { headers, ...(signal && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) };
    const media = bodyMedia(operation);
    const isPlain = media === undefined || sentType(media) === "application/json";
    const { all, accept } = successAnswers(operation);
    const row: EngineOperation = {
      ...rowOf(operation),
      ...(!isPlain && { write: bodyAs({ [media.mediaType]: writerOf(media) }) }),
      lists: () => pathTexts(service, operation, path),
      open: all.some(({ kind }) => kind === "events"),
    };
    const engine = createEngine(engineService(service, operation), connection, [row]);
    const parts = { path, query, ...(body !== undefined && { body }) };
    if (operation.pagination !== undefined) {
      const parameter = operation.parameters.find((one) => one.in === "query" && one.name === "limit");
      const most = parameter?.schema.node["maximum"];
      const size = typeof most === "number" ? { limit: Math.max(1, Math.min(most, limit)) } : {};
      const pages = sent<PagePromise<unknown>>(engine, paged(row), options, { ...parts, query: { ...query, ...size } });
      printId((await pages.withResponse()).requestId);
      let count = 0;
      if (limit > 0)
        for await (const item of pages) {
          print.value(item);
          if (++count >= limit) break;
        }
    } else if (wantsStream(operation, body)) {
      const streaming = sent<ApiPromise<AsyncIterable<unknown>>>(engine, streamed(row), options, parts);
      const { data, requestId } = await streaming.withResponse();
      printId(requestId);
      for await (const event of data) print.value(event);
    } else {
      const { data, requestId } = await sent<ApiPromise<unknown>>(engine, row, options, parts).withResponse();
      printId(requestId);
      if (data instanceof Blob) print.text(new Uint8Array(await data.arrayBuffer()));
      else if (typeof data === "string" && accept !== undefined) print.text(data);
      else if (Symbol.asyncIterator in Object(data))
        for await (const event of data as AsyncIterable<unknown>) print.value(event);
      else print.value(data);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Nobody reads further answers.
    if (signal?.reason?.message === "SIGPIPE" && !(error instanceof ApiError)) return 0;
    // Clients have options, and the command has variables. What a service says is shown as it is.
    const isOurs = error instanceof ConfigurationError;
    err(`${isOurs ? error.message.replace(/pass \w+, or set/, "set") : error.message}\n`);
    if (error instanceof ApiError) {
      printId(error.requestId);
      if (error.body !== undefined) print.failed(error.body);
    }
    return exitCode(error);
  }
}

function exitCode(error: Error): number {
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

function rowOf(operation: Operation): EngineOperation {
  const { path, aliases, resend, alwaysIf, timeout, security, pagination, stream, deprecated } = operation;
  const { accept, kinds } = successAnswers(operation);
  const readers = { none, json, text, any, bytes, events };
  const answers = Object.entries(kinds ?? {}).map(([status, kind]) => [status, readers[kind]]);
  const { lines: lineType, ...streaming } = stream ?? {};
  return {
    name: callName(operation),
    method: operation.method as EngineOperation["method"],
    path,
    aliases,
    resend,
    ...(alwaysIf && { alwaysIf }),
    timeout,
    keyed: isKeyed(operation),
    joined: joinedLists(operation),
    reserved: reservedQueries(operation),
    deprecated,
    ...(security.length > 0 && { security: security.map((schemes) => schemes.map((scheme) => scheme.name)) }),
    ...(accept !== undefined && !stream && { accept }),
    ...(kinds && !stream && { answers: answersOf(Object.fromEntries(answers)) }),
    ...(pagination && { page: pagination }),
    ...(stream && { stream: { ...streaming, ...(lineType && { accept: lineType, parser: lineParser }) } }),
  };
}

function engineService({ name, document, variables = {} }: LiveService, { security, timeout }: Operation): Service {
  const schemes = security.flat().map(({ name: scheme, carrier }) => [scheme, carrierOf(carrier)] as const);
  const { version: contractVersion } = document;
  return { name, contractVersion, variables, timeout, needsKey: true, schemes: Object.fromEntries(schemes), joinLists };
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a name for the cast
function sent<Result>(engine: Engine, op: Op, options: CallOptions, parts: Parameters<Send>[3]): Result {
  return (op.send ?? call)(engine, op, options, parts) as Result;
}
