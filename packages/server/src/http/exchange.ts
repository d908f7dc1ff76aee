import {
  invalidStatus,
  isJson,
  judgeKey,
  pathFault,
  readBody,
  readParameterValues,
  type Body,
  type DocumentOperation,
  type Validator,
} from "@trainyard/front";
import type { Fault } from "@trainyard/core/validation";
import { createAnswerCheck, type AnswerCheck, type Violation } from "./answer-check.ts";
import type { Contract } from "./documents.ts";
import type { Keys } from "./keys.ts";
import type { Limits } from "./limits.ts";
import { refuse, refuseFaults, type Refusal } from "./refusal.ts";
import { requestHash } from "./request-hash.ts";

/** A request as every handler gets it; `Call` with its types left out. */
export interface RuntimeCall {
  readonly entity: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly text: string;
  readonly idempotency: { readonly operation: string; readonly key: string; readonly hash: string } | undefined;
  readonly signal: AbortSignal;
}

export type RuntimeAnswer =
  | { readonly status: number; readonly body: unknown }
  | { readonly stream: ReadableStream<Uint8Array> }
  | Refusal;

export type RuntimeHandler = (call: RuntimeCall) => Promise<RuntimeAnswer>;

/** What all exchanges of a server have in common. */
export interface ExchangeOptions {
  readonly keys: Keys;
  readonly limits: Limits;
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
  async perform(operation: DocumentOperation, request: Request, params: Record<string, string>): Promise<Response> {
    try {
      const answer = await this.#answer(operation, request, params);
      return this.#write(operation, answer);
    } catch (error) {
      if (!request.signal.aborted) this.#options.report(error);
      return this.#write(operation, refuse(500, "The server failed at this request. Its log says why."));
    }
  }

  /** Refuses a request that leads to no operation. */
  refuse(refusal: Refusal): Response {
    return this.#write(undefined, refusal);
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

    const body: Body = operation.body
      ? await readBody(partsOf(request, this.#options.limits.body.bytes), this.#options.limits.body)
      : { kind: "none" };
    if (body.kind === "too-large" || body.kind === "too-deep") {
      return refuse(413, body.reason, { code: "content_too_large" });
    }
    const refusal = this.#judge(operation, body, query, headers);
    if (refusal !== undefined) return refusal;
    // What is no UUID is the id of nothing.
    const fault = pathFault(operation, params);
    if (fault !== undefined && operation.responses.has(404)) {
      return refuse(404, `There is nothing with the ${String(fault.loc[1])} ${Object.values(params)[0]}.`, {
        code: "not_found",
      });
    }
    const handler = this.#handlers[operation.name];
    if (handler === undefined) throw new Error(`The operation ${operation.name} has no handler.`);
    const value = body.kind === "json" ? body.value : undefined;
    const key = operation.parameters.some(({ name }) => name.toLowerCase() === "idempotency-key")
      ? headers.get("idempotency-key")
      : null;
    const perform = () =>
      handler({
        entity,
        path: params,
        query: withDefaults(operation, readParameterValues(operation.parameters, "query", query, headers)),
        body: value,
        text: body.kind === "json" ? body.text : "",
        idempotency: key === null ? undefined : { operation: operation.name, key, hash: requestHash([params, value]) },
        // Made only for who asks for it: it costs more than most answers.
        get signal() {
          return request.signal;
        },
      });
    return key === null ? perform() : this.#alone(JSON.stringify([entity, operation.name, key]), perform);
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

  #judge(operation: DocumentOperation, body: Body, query: URLSearchParams, headers: Headers): Refusal | undefined {
    const { invalid } = this.contract.style;
    const faults: Fault[] = [];
    for (const source of ["query", "header"] as const) {
      if (!operation.parameters.some((parameter) => parameter.in === source)) continue;
      const values = readParameterValues(operation.parameters, source, query, headers);
      faults.push(...this.#validator.request(operation, source, values));
    }
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
    return faults.length > 0 ? this.#refuseFaults(operation, faults) : undefined;
  }

  #refuseFaults(operation: DocumentOperation, faults: readonly Fault[]): Refusal {
    const { invalid, limitCode } = this.contract.style;
    const status = invalidStatus(this.contract.document, operation, faults);
    return refuseFaults(status, faults, status === invalid ? "invalid_value" : limitCode);
  }

  #write(operation: DocumentOperation | undefined, answer: RuntimeAnswer): Response {
    if ("stream" in answer) {
      const stream = operation && this.#check ? this.#check.stream(operation, answer.stream) : answer.stream;
      return new Response(stream, {
        headers: { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache" },
      });
    }
    const refused = "refusal" in answer;
    const status = refused ? answer.refusal : answer.status;
    const text = JSON.stringify(refused ? this.contract.style.body(answer) : answer.body);
    if (operation !== undefined) this.#check?.json(operation, status, text);
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (status === 401) headers["WWW-Authenticate"] = "Bearer";
    if (status === 429 || status === 503) headers["Retry-After"] = String((refused && answer.retryAfter) || 1);
    if (refused && answer.retryAfter !== undefined) headers["Retry-After"] = String(answer.retryAfter);
    if (refused && answer.allow !== undefined) headers["Allow"] = answer.allow.join(", ");
    return new Response(text, { status, headers });
  }
}

function withDefaults(operation: DocumentOperation, values: Record<string, unknown>): Record<string, unknown> {
  const result = { ...values };
  for (const { in: source, name, schema } of operation.parameters) {
    if (source === "query" && "default" in schema) result[name] ??= schema["default"];
  }
  return result;
}

/** The body of a request: in one piece where its length is known to be small, which costs the least. */
async function* partsOf(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length <= limit) yield new Uint8Array(await request.arrayBuffer());
  else if (request.body !== null) yield* request.body;
}
