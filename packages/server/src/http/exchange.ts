import {
  invalidStatus,
  isJson,
  judgeKey,
  parseBody,
  pathFault,
  readBody,
  readParameterValues,
  type Body,
  type DocumentOperation,
  type Validator,
} from "@trainyard/front";
import { limitFaults, type Fault } from "@trainyard/core/validation";
import { createAnswerCheck, type AnswerCheck, type Violation } from "./answer-check.ts";
import type { Contract } from "./documents.ts";
import type { Keys } from "./keys.ts";
import type { Limits } from "./limits.ts";
import { refuse, refuseFaults, type Refusal } from "./refusal.ts";
import { requestHash } from "./request-hash.ts";
import { RequestCall, type RuntimeCall } from "./runtime-call.ts";

export type RuntimeAnswer =
  | { readonly status: number; readonly body: unknown }
  | { readonly stream: ReadableStream<Uint8Array> }
  | Refusal;

/** A request of which only its caller, its path and its headers were read, and nothing is wrong with those. */
export interface SentCall {
  readonly entity: string;
  readonly path: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Performs an operation with a body that it reads itself, in another thread. What it does not take it gives back: then the
 * body is read and judged here, and the operation's handler performs it.
 */
export type Taker = (call: SentCall) => Promise<RuntimeAnswer | Returned>;

/** A body that was not taken. */
export interface Returned {
  readonly returned: Uint8Array<ArrayBuffer>;
}

export type RuntimeHandler = (call: RuntimeCall) => Promise<RuntimeAnswer>;

/** What an exchange knows of its surroundings: what every answer carries, and who is told when a stream is over. */
export interface Visit {
  readonly headers: Readonly<Record<string, string>>;
  /** Passes a stream on that keeps its place among the requests under way until it ends. */
  keep(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
}

/** What all exchanges of a server have in common. */
export interface ExchangeOptions {
  readonly keys: Keys;
  readonly limits: Limits;
  /** Operations that take bodies as they come, by name. */
  readonly takers?: Readonly<Record<string, Taker>>;
  /** Checks every answer against the document, and tells of those that break it. */
  readonly violations: { readonly check: boolean; report(violation: Violation): void };
  /** Is told of what went wrong inside. */
  report(error: unknown): void;
}

/** One request and its answer, for the operations of one document. */
export class Exchange {
  readonly contract: Contract;
  readonly #validator: Validator;
  readonly #handlers: Readonly<Record<string, RuntimeHandler>>;
  readonly #options: ExchangeOptions;
  readonly #check: AnswerCheck | undefined;
  readonly #underWay = new Set<string>();

  constructor(
    contract: Contract,
    validator: Validator,
    handlers: Readonly<Record<string, RuntimeHandler>>,
    options: ExchangeOptions,
  ) {
    this.contract = contract;
    this.#validator = validator;
    this.#handlers = handlers;
    this.#options = options;
    const { violations } = options;
    if (violations.check) this.#check = createAnswerCheck(contract.name, validator, (v) => violations.report(v));
  }

  /** Performs an operation. Never rejects: what goes wrong inside is a 500. */
  async perform(
    operation: DocumentOperation,
    request: Request,
    params: Record<string, string>,
    visit: Visit,
  ): Promise<Response> {
    try {
      const answer = await this.#answer(operation, request, params);
      return this.#write(operation, answer, visit);
    } catch (error) {
      if (!request.signal.aborted) this.#options.report(error);
      return this.#write(operation, refuse(500, "The server failed at this request. Its log says why."), visit);
    }
  }

  /** Refuses a request that leads to no operation. */
  refuse(refusal: Refusal, visit: Visit): Response {
    return this.#write(undefined, refusal, visit);
  }

  async #answer(
    operation: DocumentOperation,
    request: Request,
    params: Record<string, string>,
  ): Promise<RuntimeAnswer> {
    const query = new URLSearchParams(request.url.split("?", 2)[1]?.split("#", 1)[0]);
    const { headers } = request;
    // Who calls is judged before anything that was sent is read.
    let entity = "";
    const verdict = judgeKey(headers, query, operation.security, (credential) => {
      const found = this.#options.keys.entityOf(credential);
      entity = found ?? "";
      return found !== undefined;
    });
    if (verdict === "missing")
      return refuse(401, "Send a key as `Authorization: Bearer <key>`.", { code: "missing_credential" });
    if (verdict === "wrong") return refuse(401, "The key is not known to this server.", { code: "invalid_api_key" });
    const handler = this.#handlers[operation.name];
    if (handler === undefined) return notServed(operation);

    const key = operation.parameters.some(({ name }) => name.toLowerCase() === "idempotency-key")
      ? headers.get("idempotency-key")
      : null;
    const faults = this.#judgeParameters(operation, query, headers);
    const lost = pathFault(operation, params);
    let body: Body = { kind: "none" };
    if (operation.body) {
      // A repetition is told by what was sent: for that it must be read here.
      const plain = key === null && faults.length === 0 && lost === undefined;
      const taker = plain ? this.#options.takers?.[operation.name] : undefined;
      const read = await this.#read(request, taker && ((bytes) => taker({ entity, path: params, bytes })));
      if ("answer" in read) return read.answer;
      body = read;
    }
    if (body.kind === "too-large" || body.kind === "too-deep") {
      return refuse(413, body.reason, { code: "content_too_large" });
    }
    const refusal = this.#judge(operation, body, headers, faults);
    if (refusal !== undefined) return refusal;
    // What is no UUID is the id of nothing.
    if (lost !== undefined && operation.responses.has(404)) {
      return refuse(404, `There is nothing with the ${String(lost.loc[1])} ${Object.values(params)[0]}.`, {
        code: "not_found",
      });
    }
    const value = body.kind === "json" ? body.value : undefined;
    const perform = () =>
      handler(
        new RequestCall(request, {
          entity,
          path: params,
          query: withDefaults(operation, readParameterValues(operation.parameters, "query", query, headers)),
          body: value,
          text: body.kind === "json" ? body.text : "",
          bytes: body.kind === "json" ? body.bytes : new Uint8Array(),
          idempotency:
            key === null ? undefined : { operation: operation.name, key, hash: requestHash([params, value]) },
        }),
      );
    return key === null ? perform() : this.#alone(JSON.stringify([entity, operation.name, key]), perform);
  }

  /** Reads a body: in one piece where its length is known to be small, which costs the least. */
  async #read(
    request: Request,
    take: ((bytes: Uint8Array<ArrayBuffer>) => Promise<RuntimeAnswer | Returned>) | undefined,
  ): Promise<Body | { readonly answer: RuntimeAnswer }> {
    const limits = this.#options.limits.body;
    const length = Number(request.headers.get("content-length") ?? Number.NaN);
    if (!(length <= limits.bytes)) return readBody(request.body, limits);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const type = request.headers.get("content-type");
    if (take === undefined || bytes.byteLength === 0 || (type !== null && !isJson(type)))
      return parseBody(bytes, limits);
    const taken = await take(bytes);
    return "returned" in taken ? parseBody(taken.returned, limits) : { answer: taken };
  }

  /** Refuses what repeats a request that is under way. */
  async #alone(request: string, perform: () => Promise<RuntimeAnswer>): Promise<RuntimeAnswer> {
    if (this.#underWay.has(request)) {
      return refuse(409, "The first request with this Idempotency-Key is under way.", { retryAfter: 1 });
    }
    this.#underWay.add(request);
    try {
      return await perform();
    } finally {
      this.#underWay.delete(request);
    }
  }

  #judgeParameters(operation: DocumentOperation, query: URLSearchParams, headers: Headers): Fault[] {
    return (["query", "header"] as const).flatMap((source) => {
      if (!operation.parameters.some((parameter) => parameter.in === source)) return [];
      const values = readParameterValues(operation.parameters, source, query, headers);
      return this.#validator.request(operation, source, values);
    });
  }

  #judge(
    operation: DocumentOperation,
    body: Body,
    headers: Headers,
    ofParameters: readonly Fault[],
  ): Refusal | undefined {
    const { invalid } = this.contract.style;
    const faults = [...ofParameters];
    if (body.kind === "malformed") {
      return refuseFaults(invalid, [{ loc: ["body"], msg: body.reason, type: "json_invalid" }], "json_invalid");
    }
    const type = headers.get("content-type");
    if (body.kind === "json" && type !== null && !isJson(type)) {
      const msg = `The body must be sent as application/json, and not as ${type}.`;
      faults.push({ loc: ["header", "Content-Type"], msg, type: "value_error" });
    } else if (body.kind === "json") {
      faults.push(...this.#validator.request(operation, "body", body.value));
    } else if (operation.body?.required === true) {
      faults.push({ loc: ["body"], msg: "A body is required.", type: "missing" });
    }
    return faults.length > 0 ? this.#refuseFaults(operation, limitFaults(faults)) : undefined;
  }

  #refuseFaults(operation: DocumentOperation, faults: readonly Fault[]): Refusal {
    const { invalid, limitCode } = this.contract.style;
    const status = invalidStatus(this.contract.document, operation, faults);
    return refuseFaults(status, faults, status === invalid ? "invalid_value" : limitCode);
  }

  #write(operation: DocumentOperation | undefined, answer: RuntimeAnswer, visit: Visit): Response {
    const headers: Record<string, string> = { ...visit.headers };
    if ("stream" in answer) {
      const stream = operation && this.#check ? this.#check.stream(operation, answer.stream) : answer.stream;
      headers["Content-Type"] = "text/event-stream; charset=utf-8";
      headers["Cache-Control"] = "no-cache";
      return new Response(visit.keep(stream), { headers });
    }
    const refused = "refusal" in answer;
    const status = refused ? answer.refusal : answer.status;
    const text = JSON.stringify(refused ? this.contract.style.body(answer) : answer.body);
    // That something is not served is no answer of the operation: no document declares it.
    if (operation !== undefined && status !== 501) this.#check?.json(operation, status, text);
    headers["Content-Type"] = "application/json";
    if (status === 501) headers["x-should-retry"] = "false";
    if (status === 401) headers["WWW-Authenticate"] = "Bearer";
    if (status === 429 || status === 503) headers["Retry-After"] = String((refused && answer.retryAfter) || 1);
    if (refused && answer.retryAfter !== undefined) headers["Retry-After"] = String(answer.retryAfter);
    if (refused && answer.allow !== undefined) headers["Allow"] = answer.allow.join(", ");
    return new Response(text, { status, headers });
  }
}

function notServed({ name }: DocumentOperation): Refusal<501> {
  const message = `The local server does not serve ${name} yet. A mock of the service answers it with examples.`;
  return refuse(501, message, { code: "not_implemented" });
}

function withDefaults(operation: DocumentOperation, values: Record<string, unknown>): Record<string, unknown> {
  const result = { ...values };
  for (const { in: source, name, schema } of operation.parameters) {
    if (source === "query" && "default" in schema) result[name] ??= schema["default"];
  }
  return result;
}
