import { isObject } from "@trainyard/core/validation";
import type { ChatCompletion, InferenceError, ModelListEntry } from "@trainyard/inference";
import { refuse, StreamRefusal, type Refusal } from "@trainyard/host";
import { OptionError } from "../options.ts";
import { BackendError, type ChatBackend, type ChatCall } from "./backend.ts";

/** A server that speaks chat completions: vLLM, llama.cpp, Ollama and others. */
export interface UpstreamOptions {
  /** Its base URL, to which `/chat/completions` is appended: `http://127.0.0.1:8000/v1`. */
  readonly url: string;
  /** The API key of the chat server, if it needs one. */
  readonly apiKey?: string;
  /** Milliseconds until its response starts, and between two parts of it; 600,000 by default. */
  readonly timeoutMs?: number;
}

/** Why a chat server gave no answer, or no whole one. */
export type UpstreamFailure = "refused" | "timeout" | "cut" | "redirect" | "status";

/** What is measured of a chat server. */
export interface UpstreamWatch {
  /** Receives the seconds until an answer began. */
  answered(seconds: number): void;
  failed(kind: UpstreamFailure): void;
}

type ErrorCode = Extract<InferenceError["error"]["code"], string>;

/** How long a list of models is reused, in milliseconds. */
const fresh = 5000;

/**
 * A backend that forwards chat to a server, and returns its responses byte for byte.
 *
 * @throws {@link OptionError} if the address is not a plain address of http or https; the message does not repeat it
 */
export function upstreamBackend(options: UpstreamOptions, measure?: UpstreamWatch): ChatBackend {
  const { url, apiKey, timeoutMs = 600_000 } = options;
  const base = baseOf(url);
  const headers = {
    "Content-Type": "application/json",
    ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
  };
  let cached: { models: ModelListEntry[] | undefined; at: number } | undefined;

  async function send(path: string, init: RequestInit, signal: AbortSignal): Promise<Watched> {
    const cut = (isLate: boolean) => measure?.failed(isLate ? "timeout" : "cut");
    const watch = new IdleTimeout(timeoutMs, signal, cut);
    const start = performance.now();
    try {
      const response = await fetch(`${base}${path}`, { ...init, headers, signal: watch.signal, redirect: "manual" });
      measure?.answered((performance.now() - start) / 1000);
      if (response.ok) return { response, watch };
      const refusal = await refusalOf(response, base);
      if (refusal.kind === "unavailable") measure?.failed(response.status < 400 ? "redirect" : "status");
      throw refusal;
    } catch (error) {
      watch.end();
      if (error instanceof BackendError || signal.aborted) throw error;
      const late = watch.signal.aborted;
      measure?.failed(late ? "timeout" : "refused");
      throw unavailable(base, late ? `did not respond within ${timeoutMs} ms` : "cannot be reached", error);
    }
  }

  async function list(signal: AbortSignal): Promise<ModelListEntry[] | undefined> {
    try {
      const { response, watch } = await send("/models", { method: "GET" }, signal);
      const body = await jsonOf(response, base).catch(() => undefined);
      watch.end();
      return entriesOf(body);
    } catch (error) {
      // A gateway without a list of models can still complete conversations.
      if (error instanceof BackendError && error.kind === "unknown-model") return undefined;
      throw error;
    }
  }

  return {
    models: async (signal) => {
      if (cached !== undefined && performance.now() - cached.at < fresh) return cached.models;
      const models = await list(signal);
      cached = { models, at: performance.now() };
      return models;
    },
    check: async (signal) => {
      cached = { models: await list(signal), at: performance.now() };
    },
    complete: async ({ model, request, signal }: ChatCall) => {
      const body = JSON.stringify({ ...request, model: model.name });
      const { response, watch } = await send("/chat/completions", { method: "POST", body }, signal);
      const isJson = /json/i.test(response.headers.get("content-type") ?? "");
      // Some servers answer a request for a stream with an error in JSON and status 200.
      if (request.stream === true && !isJson && response.body !== null) {
        const refusal = (what: string) => {
          const { message, details } = unavailable(base, what);
          return refuse(503, message, { code: "overloaded" satisfies ErrorCode, reason: details.reason });
        };
        return { stream: watch.over(response.body, refusal) };
      }
      const completion = await jsonOf(response, base).catch((error: unknown) => {
        watch.cut();
        throw error;
      });
      watch.end();
      if (isCompletion(completion)) return { completion };
      const { code, sentence } = readError(completion);
      if (sentence !== undefined) throw errorOf(code ?? 500, completion, base);
      throw unavailable(base, "sent a response that is not a completion");
    },
  };
}

function baseOf(url: string): string {
  const { protocol = "", username, password, search, hash, href = "" } = URL.canParse(url) ? new URL(url) : {};
  const what = "The address of the chat server (--upstream, or `backend.url` of createServer)";
  if (!/^https?:$/.test(protocol) || search || hash) {
    throw new OptionError(`${what} must be of http or https, without a query, as in http://127.0.0.1:8000/v1.`);
  }
  if (username || password) {
    const cure = "Remove it, and pass the server's key with TRAINYARD_UPSTREAM_KEY, or `backend.apiKey`.";
    throw new OptionError(`${what} contains a user name or a password. ${cure}`);
  }
  return href.replace(/\/+$/, "");
}

function unavailable(base: string, what: string, cause?: unknown): BackendError {
  const reason = `The chat server at ${base} ${what}.`;
  return new BackendError("unavailable", `The chat server ${what}.`, { reason, cause });
}

/** The largest response that is read whole. A stream has no limit, because it is passed on in parts. */
const mostBytes = 64 * 2 ** 20;

/** @throws BackendError if the response is cut, too large, or not JSON */
async function jsonOf({ body }: Response, base: string): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body ?? []) {
      size += part.length;
      if (size > mostBytes) throw unavailable(base, `sent more than ${mostBytes / 2 ** 20} MiB`);
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString());
  } catch (error) {
    if (error instanceof BackendError) throw error;
    throw unavailable(base, "ended its response early, or did not send JSON", error);
  }
}

interface Watched {
  readonly response: Response;
  readonly watch: IdleTimeout;
}

/** Aborts if nothing arrives for a time, or if the caller aborts. */
class IdleTimeout {
  readonly #idle = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #milliseconds: number;
  readonly signal: AbortSignal;

  readonly #outer: AbortSignal;
  readonly #onCut: (isLate: boolean) => void;
  #isOver = false;

  constructor(milliseconds: number, outer: AbortSignal, onCut: (isLate: boolean) => void) {
    this.#milliseconds = milliseconds;
    this.#outer = outer;
    this.#onCut = onCut;
    this.signal = AbortSignal.any([outer, this.#idle.signal]);
    this.#timer = setTimeout(() => {
      this.#idle.abort(new Error("The chat server sent nothing for too long."));
    }, milliseconds).unref();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** Ends because the answer did, too early. If the caller has left, the sender is not to blame. */
  cut(): void {
    if (!this.#isOver && !this.#outer.aborted) this.#onCut(this.#idle.signal.aborted);
    this.end();
  }

  /**
   * Forwards the stream and restarts the timeout with each part. Canceling it stops the sender.
   *
   * @param refusal is what the reader learns if the sender breaks off
   */
  over(stream: ReadableStream<Uint8Array>, refusal: (what: string) => Refusal): ReadableStream<Uint8Array> {
    const reader = stream.getReader();
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          this.#timer.refresh();
          if (!done) return controller.enqueue(value);
          this.end();
          controller.close();
        } catch (error) {
          this.cut();
          const isLate = this.#idle.signal.aborted;
          const what = isLate ? `sent nothing for ${this.#milliseconds} ms` : "ended its response early";
          controller.error(new StreamRefusal(refusal(what), error));
        }
      },
      cancel: async (reason) => {
        this.end();
        this.#idle.abort(reason);
        await reader.cancel(reason).catch(() => undefined);
      },
    });
  }
}

async function refusalOf(response: Response, base: string): Promise<BackendError> {
  const location = response.headers.get("location");
  if (response.status < 400 && location !== null) {
    await response.body?.cancel();
    const { protocol, host } = new URL(location, response.url);
    // To follow it would send the conversation to a server that nobody chose.
    const reason = `The chat server at ${base} answered with a redirect (${response.status}) to ${protocol}//${host}, which is not followed. Set --upstream to the address without the redirect.`;
    return new BackendError("unavailable", "The chat server cannot be reached.", { reason });
  }
  const body = await jsonOf(response, base).catch(() => undefined);
  const seconds = Number(response.headers.get("retry-after"));
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 120) : undefined;
  return errorOf(response.status, body, base, retryAfter);
}

/** Reads the error of a chat server, whatever its form: below `error`, or at the top level as in vLLM. */
function readError(body: unknown): { sentence?: string; param?: string; code?: number } {
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : body;
  const fields: Readonly<Record<string, unknown>> = isObject(error) ? error : { message: error };
  const { message = fields["detail"], param, code } = fields;
  return {
    ...(typeof message === "string" && { sentence: message }),
    ...(typeof param === "string" && { param }),
    ...(typeof code === "number" && { code }),
  };
}

function errorOf(status: number, body: unknown, base: string, retryAfter?: number): BackendError {
  const { sentence: own, param } = readError(body);
  const sentence = own ?? `The chat server answered ${status}.`;
  const reason = `The chat server at ${base} answered ${status}${own === undefined ? "." : `: ${own}`}`;
  const details = { ...(param !== undefined && { param }), ...(retryAfter !== undefined && { retryAfter }) };
  if (status === 404) return new BackendError("unknown-model", sentence);
  if (status === 429) return new BackendError("busy", sentence, details);
  if (status === 400 || status === 413 || status === 422) return new BackendError("invalid", sentence, details);
  if (status === 401 || status === 403) {
    return unavailable(base, `rejects the local server's key (${status})`);
  }
  return new BackendError("unavailable", sentence, { ...details, reason });
}

function entriesOf(body: unknown): ModelListEntry[] | undefined {
  const data = isObject(body) ? body["data"] : undefined;
  if (!Array.isArray(data)) return undefined;
  return data.filter(isObject).map((entry) => ({
    id: String(entry["id"]),
    object: "model",
    created: typeof entry["created"] === "number" ? Math.trunc(entry["created"]) : 0,
    owned_by: typeof entry["owned_by"] === "string" ? entry["owned_by"] : "upstream",
    ...(typeof entry["root"] === "string" && { root: entry["root"] }),
  }));
}

function isCompletion(value: unknown): value is ChatCompletion {
  return isObject(value) && Array.isArray(value["choices"]);
}
