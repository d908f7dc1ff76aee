import { isJson, readDocument, type Document, type Operation } from "@trainyard/document";
import {
  createRouter,
  createValidator,
  judgeKey,
  parseBody,
  pathFault,
  readParameterValues,
  type Body,
  type BodyLimits,
  type Route,
  type Validator,
} from "@trainyard/host";
import { isObject, limitFaults, type Fault } from "@trainyard/core/validation";
import { createAnswers, type Answer, type Answers, type Wanted } from "./answers.ts";
import { Plans, type PlannedAnswer } from "./controls.ts";
import { createErrors, invalid, type Errors } from "./errors.ts";
import { readPreference } from "./prefer.ts";
import { wait } from "./streams.ts";

/** A request as a service takes it: a `Request`, or what has the same parts. */
export interface Incoming extends Pick<Request, "method" | "url" | "headers" | "signal"> {
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** How a service judges requests. */
export interface ServiceOptions {
  /** The keys that are good. By default any key is. */
  readonly keys?: readonly string[] | undefined;
  /** The largest body in bytes; 16 MiB by default. */
  readonly maxBodyBytes?: number | undefined;
  /** The deepest nesting of a body; 100 by default. */
  readonly maxBodyDepth?: number | undefined;
}

/** Breaks the connection instead of answering. */
export class Disconnect extends Error {
  override readonly name = "Disconnect";
  /** As Node has it for a connection that breaks. */
  readonly code = "ECONNRESET";
}

/** One document, answering. It knows nothing but what the document says. */
export class Service {
  readonly prefix: string;
  readonly operations: readonly Operation[];
  readonly plans: Plans;
  readonly route: (path: string) => Route | undefined;
  readonly #answers: Answers;
  readonly #errors: Errors;
  readonly #validator: Validator;
  readonly #document: Document;
  readonly #keys: readonly string[] | undefined;
  readonly #limits: BodyLimits;

  constructor(document: object, options: ServiceOptions = {}) {
    this.#document = readDocument(document);
    this.prefix = this.#document.prefix;
    this.operations = this.#document.operations;
    this.plans = new Plans(this.operations.map(({ name }) => name));
    this.route = createRouter(this.operations);
    this.#answers = createAnswers(document);
    this.#errors = createErrors(this.operations, this.#answers);
    this.#validator = createValidator(document);
    this.#keys = options.keys;
    this.#limits = { bytes: options.maxBodyBytes ?? 16 * 2 ** 20, depth: options.maxBodyDepth ?? 100 };
  }

  /** Answers a request whose path, without the prefix, is `path`. */
  async answer(request: Incoming, path: string): Promise<Answer> {
    const route = this.route(path);
    if (!route) {
      return this.#errors(undefined, { status: 404, message: `There is nothing at ${path}.`, code: "unknown_url" });
    }
    const operation = route.operations.get(request.method === "HEAD" ? "GET" : request.method);
    if (!operation) {
      const message = `${request.method} is not possible here.`;
      const answer = await this.#errors(undefined, { status: 405, message, code: "method_not_allowed" });
      answer.headers.set("Allow", route.allow.join(", "));
      return answer;
    }
    return this.#answerOperation(request, operation, route, path);
  }

  async #answerOperation(request: Incoming, operation: Operation, route: Route, path: string): Promise<Answer> {
    const query = new URL(request.url).searchParams;
    const { headers, signal, method } = request;
    const body = await readBody(request.body, this.#limits);
    const value = body.kind === "json" ? body.value : undefined;
    this.plans.record({ operation: operation.name, method, path, params: route.params, query, headers, body: value });

    const preference = readPreference(headers);
    const planned = this.plans.take(operation.name);
    await wait(this.plans.delayMs + (planned?.delayMs ?? 0) + (preference.delayMs ?? 0), signal);
    const mediaType = wantsStream(operation, value) ? "text/event-stream" : undefined;
    if (planned) return this.#answerPlanned(operation, planned, mediaType);

    const wanted = { status: preference.status, example: preference.example, mediaType };
    // Who asks for an error gets it, without the request that would provoke it.
    if ((wanted.status ?? 200) >= 300) return this.#answerWanted(operation, wanted);

    const key = judgeKey(
      headers,
      () => query,
      operation.security,
      (given) => ((this.#keys?.includes(given.key) ?? true) ? "" : undefined),
    );
    if (key.verdict === "missing" || key.verdict === "wrong")
      return this.#errors(operation, { status: 401, ...(key.verdict === "wrong" && { example: /wrong|invalid/ }) });
    if (body.kind === "too-large" || body.kind === "too-deep") {
      return this.#errors(operation, { status: 413, message: body.reason });
    }
    const refusal = this.#judge(operation, body, query, headers);
    if (refusal) return this.#errors(operation, refusal);
    const fault = pathFault(operation, route.params);
    if (fault) {
      const message = `There is nothing with this ${fault.loc[1]}.`;
      const missing = operation.responses.has("404");
      return this.#errors(
        operation,
        missing ? { status: 404, message } : invalid(this.#document.root, operation, [fault]),
      );
    }
    return this.#answerWanted(operation, wanted);
  }

  #judge(operation: Operation, body: ReadBody, query: URLSearchParams, headers: Headers) {
    const faults: Fault[] = [
      ...this.#validator.request(
        operation,
        "query",
        readParameterValues(operation.parameters, "query", query, headers),
      ),
      ...this.#validator.request(
        operation,
        "header",
        readParameterValues(operation.parameters, "header", query, headers),
      ),
    ];
    if (operation.body) {
      const type = headers.get("content-type");
      if (body.kind === "malformed") {
        const fault: Fault = { loc: ["body"], msg: body.reason, type: "json_invalid" };
        return invalid(this.#document.root, operation, [fault], "json_invalid");
      }
      if (body.kind === "json" && type !== null && !isJson(type)) {
        const msg = `The body must be sent as application/json, and not as ${type}.`;
        faults.push({ loc: ["header", "Content-Type"], msg, type: "value_error" });
      } else if (body.kind === "json") faults.push(...this.#validator.request(operation, "body", body.value));
      else if (operation.body.required) faults.push({ loc: ["body"], msg: "A body is required.", type: "missing" });
    }
    return faults.length > 0 ? invalid(this.#document.root, operation, limitFaults(faults)) : undefined;
  }

  /** The answer that was wished for, or an error that says what there is to wish for. */
  async #answerWanted(operation: Operation, wanted: Wanted): Promise<Answer> {
    const answer = await this.#answers(operation, wanted);
    if (typeof answer !== "string") return answer;
    return this.#errors(undefined, { status: 501, message: answer, code: "not_implemented" });
  }

  async #answerPlanned(operation: Operation, planned: PlannedAnswer, mediaType?: string): Promise<Answer> {
    if (planned.disconnect) throw new Disconnect("The mock was told to break the connection.");
    const { status, example } = planned;
    const declared = status === undefined || operation.responses.has(String(status));
    const answer = declared
      ? await this.#answerWanted(operation, { status, example, mediaType })
      : await this.#errors(undefined, { status, message: `The mock was told to answer ${status}.` });
    const headers = new Headers(answer.headers);
    const { body = answer.body } = planned;
    if ("body" in planned) headers.set("content-type", typeof body === "string" ? "text/plain" : "application/json");
    if (planned.retryAfter !== undefined) headers.set("Retry-After", String(planned.retryAfter));
    for (const [name, value] of Object.entries(planned.headers ?? {})) headers.set(name, value);
    return { ...answer, headers, body, ...(typeof planned.body === "string" && { text: planned.body }) };
  }
}

function wantsStream({ stream }: Operation, body: unknown): boolean {
  return stream !== undefined && isObject(body) && body[stream.toggle] === true;
}

type ReadBody = Body | { readonly kind: "too-large"; readonly reason: string; readonly text: "" };

/** Reads a body to its end, even when it is too large: a sender that is cut off never reads the answer. */
async function readBody(stream: AsyncIterable<Uint8Array> | null, limits: BodyLimits): Promise<ReadBody> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream ?? []) {
    size += part.byteLength;
    if (size <= limits.bytes) parts.push(part);
  }
  if (size <= limits.bytes) return parseBody(new Uint8Array(Buffer.concat(parts)), limits);
  return { kind: "too-large", reason: `The request body is larger than ${limits.bytes} bytes.`, text: "" };
}
