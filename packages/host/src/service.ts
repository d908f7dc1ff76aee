import { sleep } from "@trainyard/core/sleep";
import { isObject, limitFaults, type Fault } from "@trainyard/core/validation";
import {
  isKeyed,
  jsonOf,
  mediaKind,
  responseOf,
  streamType,
  wantsStream,
  type Document,
  type Operation,
} from "@trainyard/document";
import { createAnswerCheck, type AnswerCheck, type RuleCheck, type Violation } from "./answer-check.ts";
import { byExample, Disconnect, StreamRefusal, ThreadEnd, type Answer, type Handler, type Handlers } from "./answer.ts";
import { RequestCall } from "./call.ts";
import { createErrors, type Errors } from "./errors.ts";
import { exampleOf, type Wanted } from "./examples.ts";
import { judgeForm } from "./form.ts";
import { invalidStatus } from "./invalid-status.ts";
import type { judgeInThread, ThreadJudge } from "./judge-in-thread.ts";
import { judgeHere, judgeParameters, mediaOf, type Readers } from "./judge.ts";
import { judgeKey, keyRefusal, type KeyVerdict, type Owner } from "./keys.ts";
import { judgeNames, lostId, readParameterValues } from "./parameters.ts";
import { named } from "./limits.ts";
import { plannedEvents } from "./planned-events.ts";
import { isWritten, replacesAnswer, type PlannedAnswer } from "./planned-faults.ts";
import { refuse, refuseFaults, type HostCode, type Refusal } from "./refusal.ts";
import { exampleResponse, isBodiless, refusalResponse, type CommonHeaders } from "./response.ts";
import { createRouter, type Route } from "./routes.ts";
import { eventHeaders, throttle, watch } from "./streams.ts";
import { validatorOf, type Validator } from "./validator.ts";
import { authorize, type Arrival, type RequestContext } from "./request-context.ts";

/** A document, and the handlers that serve it. */
export interface Api {
  /** The name of the service in plans, violations and logs: `training`. */
  readonly name: string;
  readonly document: Document;
  /** By operation name. An operation without a handler returns an example. */
  readonly handlers?: Handlers | undefined;
  /** Returns the owner of a credential. Default: every credential is valid and has no owner; with `none`, none is needed. */
  readonly keys?: Owner | "none" | undefined;
  /** The base path. Default: that of the document's first server. */
  readonly prefix?: string | undefined;
  /** What handlers read from bodies, and the module that exports it as `readers` for other threads. */
  readonly readers?: { readonly functions: Readers; readonly module: URL } | undefined;
  /** Whether plans do not apply to this service, such as the one that controls the plans. */
  readonly isExempt?: boolean | undefined;
  /** Whether a query with a name that its operation does not have is refused. Default: such names are ignored. */
  readonly isStrict?: boolean | undefined;
  /** Names of operations that are exempt from the limit of running requests: health checks must always get a response. */
  readonly ungated?: readonly string[] | undefined;
}

/** The source of planned responses: `PlannedFaults`, or a function of each request. */
export interface Plans {
  /** Called once for each request that matches an operation, before validation. */
  take(arrival: Arrival): PlannedAnswer | undefined | Promise<PlannedAnswer | undefined>;
}

/** The options that all documents of a host share. */
export interface ServiceOptions {
  readonly faults?: Plans | undefined;
  /**
   * Parses and validates bodies over 256 KiB in a separate thread: `judgeInThread`. Default: all are validated in this thread.
   */
  readonly judgeInThread?: typeof judgeInThread | undefined;
  /** Checks every response against the document, and is called for violations. */
  readonly violation?: ((violation: Violation) => void) | undefined;
  /** Checks every valid response further, for `violation`. */
  readonly rules?: RuleCheck | undefined;
  /** Called once for each operation without a handler, on its first call. */
  readonly unhandled?: ((document: string, operation: Operation) => void) | undefined;
  /** Called for internal errors. */
  report(error: unknown): void;
}

/** One served document. */
export class Service {
  readonly name: string;
  readonly prefix: string;
  readonly document: Document;
  /** Finds the operations of a path without the prefix. */
  readonly route: (path: string) => Route | undefined;
  /** Validates bodies, and has the service's other thread. */
  readonly bodies: ThreadJudge;
  readonly #api: Api;
  readonly #handlers: ReadonlyMap<string, Handler | typeof byExample>;
  readonly #keys: Owner | "none";
  readonly #validator: Validator;
  readonly #errors: Errors;
  readonly #check: AnswerCheck | undefined;
  readonly #options: ServiceOptions;
  readonly #reported = new Set<string>();

  constructor(api: Api, options: ServiceOptions) {
    const { name, document, prefix = document.prefix } = api;
    this.name = name;
    this.prefix = prefix;
    this.document = document;
    this.route = createRouter(document.operations);
    this.#api = api;
    this.#handlers = new Map(Object.entries(api.handlers ?? {}));
    this.#keys = api.keys ?? (() => "");
    this.#validator = validatorOf(document.root);
    const readers = api.readers?.functions;
    const here = judgeHere(this.#validator, readers);
    const { root } = document;
    this.bodies = options.judgeInThread?.(here, { root, ...(api.readers && { readers: api.readers.module }) }) ?? {
      judge: here,
      check: () => undefined,
      close: async () => undefined,
    };
    this.#errors = createErrors(document, this.#validator);
    this.#options = options;
    const { violation, rules } = options;
    this.#check = violation && createAnswerCheck({ name, root, rules }, this.#validator, violation);
  }

  /**
   * Handles a request that matched an operation. An internal error is a 500.
   * @throws the signal's reason if the client is gone, and `Disconnect` if a plan says so
   */
  async perform(context: RequestContext): Promise<Response> {
    try {
      const plan = this.#api.isExempt ? undefined : this.#options.faults?.take(context);
      const planned = plan instanceof Promise ? await plan : plan;
      // A planned delay takes a slot, as a slow handler does.
      const full = planned && (await context.admit(""));
      if (full !== undefined) return this.refuse(context.operation, full, context.answerHeaders);
      const perform = async () => this.#write(context, await this.#answer(context));
      return await (planned === undefined ? perform() : this.#answerPlanned(context, planned, perform));
    } catch (error) {
      if (error instanceof Disconnect || context.signal.aborted) throw error;
      return this.refuse(context.operation, this.#failureOf(error), context.answerHeaders);
    }
  }

  /** How a request that failed unexpectedly is answered. Reports what nobody else does. */
  #failureOf(error: unknown): Refusal {
    if (error instanceof StreamRefusal) return error.refusal;
    if (error instanceof ThreadEnd) {
      const cure = error.loses ?? "Whether the request was carried out is not known. Send it again.";
      return refuse(503, `A part of the server ended by an error during this request. ${cure}`, {
        code: "unavailable" satisfies HostCode,
        reason: error.message,
        retryAfter: 1,
      });
    }
    this.#options.report(error);
    return refuse(500, "The server failed to process the request. Its log has the cause.", {
      code: "internal_error" satisfies HostCode,
    });
  }

  /** Whether an operation is exempt from the limit of running requests. */
  isUngated({ name }: Operation): boolean {
    return this.#api.ungated?.includes(name) ?? false;
  }

  async #answer(context: RequestContext): Promise<Answer> {
    const { operation, request, params } = context;
    const { headers } = request;
    const query = () => context.query;
    // Credentials are checked before anything else of the request is read.
    const key = this.#keys === "none" ? openKey : judgeKey(headers, query, operation, this.#keys);
    const caller = key.verdict === "good" ? key.caller : undefined;
    if (caller !== undefined && caller.refusal?.refusal !== 401) authorize(context.sender, caller);
    if (caller?.refusal !== undefined) return caller.refusal;
    if (key.verdict === "missing" || key.verdict === "wrong") return keyRefusal(key.verdict, operation);
    const from = { operation, owner: caller?.owner ?? "", keyId: caller?.id };
    const full = await context.admit(from.owner);
    if (full !== undefined) return full;
    const { search } = context;
    const faults = judgeParameters(this.#validator, this.document.root, operation, { headers, search, path: params });
    if (this.#api.isStrict === true && operation.responses.has("422"))
      faults.push(...judgeNames(this.document.root, operation.parameters, search));
    const lost = operation.responses.has("404") ? lostId(operation, params) : undefined;
    if (lost !== undefined) return refuse(404, `There is nothing with the ${lost} ${params[lost]}.`);
    const sent = await this.#read(context, faults);
    if (!("value" in sent)) return sent;
    const handler = this.#handlers.get(operation.name) ?? byExample;
    if (handler === byExample) {
      if (!this.#reported.has(operation.name)) this.#options.unhandled?.(this.name, operation);
      this.#reported.add(operation.name);
      return { example: { mediaType: streamType(operation, sent.value) } };
    }
    const { value: body, digest, bytes } = sent;
    context.value = body;
    return handler(
      new RequestCall(request, { ...from, path: params, query: this.#queryOf(context), body, digest, bytes }),
    );
  }

  /** Reads and validates the body together with the parameters, or rejects it. */
  async #read(context: RequestContext, ofParameters: readonly Fault[]): Promise<Sent | Refusal<number, HostCode>> {
    const { operation, limits, headers } = context;
    const refuseAll = (faults: readonly Fault[]) => (faults.length > 0 ? this.#invalid(operation, faults) : nothing);
    if (operation.body === undefined) return refuseAll(ofParameters);
    const bytes = await context.bytes();
    if (bytes === undefined) {
      return refuse(
        413,
        `The request body is larger than ${limits.bytes} bytes${named(limits.names?.bodyBytes)}.`,
        tooLarge,
      );
    }
    const type = headers.get("content-type") ?? "";
    // A form without fields has no bytes.
    if (bytes.byteLength === 0 && mediaKind(type) !== "form") {
      const missing: Fault = { loc: ["body"], msg: "A body is required.", type: "missing" };
      return refuseAll(operation.body.required ? [...ofParameters, missing] : ofParameters);
    }
    const media = mediaOf(operation, headers);
    if ("refused" in media) return refuse(415, media.refused, { code: "unsupported_media_type" });
    const isForm = media.kind === "form" || media.kind === "multipart";
    if (media.kind !== "json" && !isForm) {
      const value = media.kind === "bytes" ? undefined : new TextDecoder().decode(bytes);
      return ofParameters.length > 0 ? refuseAll(ofParameters) : { value, bytes };
    }
    const repeats = isKeyed(operation) && headers.has("idempotency-key");
    const judging =
      isForm && media.media !== undefined
        ? judgeForm(this.document.root, this.#validator, media.media, bytes, type)
        : this.bodies.judge(operation, bytes, limits, {
            digest: repeats,
            mediaType: media.media?.mediaType,
            owner: context.sender.caller?.owner,
          });
    const { body, faults, digest } = judging instanceof Promise ? await judging : judging;
    if (body.kind === "too-large") return refuse(413, body.reason, { ...tooLarge, example: /deep/ });
    if (body.kind === "malformed") {
      const fault: Fault = { loc: ["body"], msg: body.reason, type: "json_invalid" };
      return refuseFaults(invalidStatus(this.document.root, operation), [fault], "json_invalid");
    }
    if (ofParameters.length > 0 || faults.length > 0) return this.#invalid(operation, [...ofParameters, ...faults]);
    return body.kind === "json" ? { value: body.value, digest, bytes: body.bytes } : nothing;
  }

  /** Rejects an invalid request. If the document defines a status for the fault, its example also defines the code. */
  #invalid(operation: Operation, found: readonly Fault[]): Refusal<number, HostCode> {
    const { root } = this.document;
    const faults = limitFaults(found);
    const status = invalidStatus(root, operation, faults);
    return { ...refuseFaults(status, faults), ...(status !== invalidStatus(root, operation) && { code: undefined }) };
  }

  /** @param otherwise the response to modify if a plan does not replace it */
  async #answerPlanned(
    context: RequestContext,
    plan: PlannedAnswer,
    otherwise: () => Response | Promise<Response>,
  ): Promise<Response> {
    const { delayMs, retryAfter, disconnect } = plan;
    if (delayMs !== undefined && delayMs > 0) {
      const { signal } = context;
      // Rejects with the caller's own reason, as `fetch` does.
      await sleep(delayMs, signal, "a planned fault").catch(() => signal.throwIfAborted());
    }
    if (disconnect === true) throw new Disconnect("The connection was broken, as it was planned.");
    const response = await (replacesAnswer(plan) ? this.#replacement(context, plan) : otherwise());
    if (retryAfter !== undefined) response.headers.set("Retry-After", String(retryAfter));
    for (const [name, value] of Object.entries(plan.headers ?? {})) response.headers.set(name, value);
    return throttle(response, plan);
  }

  async #replacement(context: RequestContext, plan: PlannedAnswer): Promise<Response> {
    const { operation, answerHeaders } = context;
    const { status, example, body } = plan;
    if (isWritten(plan)) {
      const written = plannedEvents(operation, plan, await context.json(), answerHeaders);
      if (typeof written !== "string") return written;
      return this.refuse(undefined, refuse(501, written, { code: "not_implemented" }), answerHeaders);
    }
    let response: Response;
    if (example === undefined && status !== undefined && (status >= 400 || !responseOf(operation, status))) {
      const otherwise = `This answer of ${operation.name} was planned.`;
      response = this.refuse(operation, { refusal: status, otherwise }, answerHeaders, false);
    } else {
      const streams = operation.stream !== undefined && wantsStream(operation, await context.json());
      response = this.#example(context, {
        status,
        example,
        mediaType: streams ? "text/event-stream" : undefined,
      });
    }
    if (body === undefined) return response;
    const headers = new Headers(response.headers);
    headers.delete("x-trainyard-example");
    headers.set("Content-Type", typeof body === "string" ? "text/plain" : "application/json");
    await response.body?.cancel();
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status: response.status, headers });
  }

  #write(context: RequestContext, answer: Answer): Response | Promise<Response> {
    const { operation, answerHeaders } = context;
    if ("refusal" in answer) return this.refuse(operation, answer, answerHeaders);
    if ("planned" in answer) {
      return this.#answerPlanned(context, answer.planned, () => this.#write(context, answer.otherwise));
    }
    if ("example" in answer) return this.#example(context, answer.example);
    const lasting = (stream: ReadableStream<Uint8Array>, headers: CommonHeaders) => {
      context.lasts = true;
      const isEvents = "stream" in answer;
      const done: Parameters<typeof watch>[1] = (outcome, error) => {
        if (outcome !== "cut" || context.signal.aborted) {
          context.leave(outcome === "cut" ? "aborted" : outcome);
          return undefined;
        }
        const failure = this.#failureOf(error);
        context.leave(outcome, failure.reason ?? failure.message);
        return isEvents ? `data: ${JSON.stringify(this.#errorEvent(operation, failure))}\n\n` : undefined;
      };
      const body = watch(stream, done, (cut) => (context.cut = cut));
      return new Response(body, { headers: { ...answerHeaders, ...headers } });
    };
    if ("stream" in answer) {
      const stream = this.#check?.stream(operation, answer.stream, context) ?? answer.stream;
      return lasting(stream, eventHeaders);
    }
    if ("text" in answer) {
      const { mediaType, headers } = answer;
      const text = this.#check?.text(operation, mediaType, answer.text) ?? answer.text;
      return lasting(text, { "Content-Type": `${mediaType}; charset=utf-8`, ...headers });
    }
    if ("notModified" in answer) {
      return new Response(null, { status: 304, headers: { ...answerHeaders, ...answer.notModified } });
    }
    const { status } = answer;
    if (answer.body === undefined || isBodiless(status)) {
      return new Response(null, { status, headers: { ...answerHeaders, ...answer.headers } });
    }
    const text = JSON.stringify(answer.body);
    const { mediaType } = jsonOf(responseOf(operation, status)?.content ?? new Map()) ?? {
      mediaType: "application/json",
    };
    this.#check?.json(operation, status, mediaType, text, context);
    const headers: Record<string, string> = { ...answerHeaders, "Content-Type": mediaType };
    if (status === 429 || status === 503) headers["Retry-After"] = "1";
    if (answer.headers !== undefined) Object.assign(headers, answer.headers);
    return new Response(text, { status, headers });
  }

  /**
   * Rejects a request, in the form of an operation's errors, or of the document's.
   *
   * @param isOwn whether the document must declare it: a planned response may be anything
   */
  refuse(operation: Operation | undefined, refusal: Refusal, common: CommonHeaders, isOwn = true): Response {
    const error = this.#errors(operation, refusal);
    // No document declares a 415, or the rights that a key of this host has.
    const isOurs = refusal.refusal === 415 || refusal.code === "insufficient_scope";
    if (isOwn && operation !== undefined && !isOurs) {
      this.#check?.json(operation, refusal.refusal, error.mediaType ?? "application/json", JSON.stringify(error.body));
    }
    return refusalResponse(refusal, error, common);
  }

  /** An error as the readers of a stream know it, also where the service's other errors have another form. */
  #errorEvent(operation: Operation, failure: Refusal): unknown {
    const { body } = this.#errors(operation, failure);
    const { message, code = "internal_error" } = failure;
    return isObject(body) && "error" in body ? body : { error: { message, code } };
  }

  #queryOf({ operation, search, headers }: RequestContext): Record<string, unknown> {
    const values = readParameterValues(this.document.root, operation.parameters, "query", { headers, search });
    for (const { in: source, name, schema } of operation.parameters) {
      if (source === "query" && "default" in schema.node) values[name] ??= schema.node["default"];
    }
    return values;
  }

  #example(context: RequestContext, wanted: Wanted): Response {
    const { operation, answerHeaders } = context;
    const found = exampleOf(operation, wanted, this.document.root);
    if (typeof found !== "string") return exampleResponse(found, answerHeaders);
    return this.refuse(undefined, refuse(501, found, { code: "not_implemented" }), answerHeaders);
  }
}

/** The request, as a handler receives it. */
interface Sent {
  readonly value: unknown;
  readonly digest?: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const nothing: Sent = { value: undefined, bytes: new Uint8Array() };
const tooLarge = { code: "content_too_large", example: /large/ } as const;
const openKey: KeyVerdict = { verdict: "open" };
