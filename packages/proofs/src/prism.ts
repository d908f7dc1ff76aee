import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { isObject } from "@trainyard/core/validation";

/** A request that Prism handled, from its own log. */
export interface Answered {
  readonly method: string;
  readonly path: string;
  /** The request's `Prefer` header. */
  readonly prefer: string;
  readonly accept: string;
  /** Undefined if Prism failed with an error of its own. */
  readonly status: number | undefined;
  /** Prism's messages: faults of the request, and of its response. */
  readonly messages: readonly string[];
}

/** A Prism server of one document. */
export interface Prism {
  readonly url: string;
  /** The requests so far. Send them one at a time, because the log does not identify requests. */
  answered(): readonly Answered[];
  close(): Promise<void>;
}

/**
 * Serves a document with an unmodified Prism server on a free port of loopback. It validates requests, keys and its own
 * responses, and generates nothing if the document has an example.
 */
export async function startPrism(document: object): Promise<Prism> {
  const log = new Log();
  // Bodies are not logged, because writing them costs more than responding.
  const serializers = { input: ({ method, url, headers }: Input) => ({ method, path: url.path, headers }) };
  const server = createServer(await operationsOf(document), {
    cors: true,
    components: { logger: createLogger("prism", { level: "info", serializers }, log) },
    config: {
      isProxy: false,
      mock: { dynamic: false },
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      upstreamProxy: undefined,
    },
  });
  const url = await server.listen(0, "127.0.0.1");
  return { url, answered: () => log.answered, close: () => server.close() };
}

const read = new WeakMap<object, ReturnType<typeof getHttpOperationsFromSpec>>();

/** Prism's form of a document. It is shared, because Prism keeps the validators that it compiles for it. */
function operationsOf(document: object): ReturnType<typeof getHttpOperationsFromSpec> {
  // A copy, because Prism resolves references in place, and the document is shared.
  const operations = read.get(document) ?? getHttpOperationsFromSpec(structuredClone(document));
  read.set(document, operations);
  return operations;
}

interface Input {
  readonly method: string;
  readonly url: { readonly path: string };
  readonly headers: object;
}

/** Parses Prism's log: a line when a request arrives, lines about its faults, a line when it was answered. */
class Log {
  readonly answered: Answered[] = [];
  #request: Omit<Answered, "status" | "messages"> | undefined;
  #messages: string[] = [];

  write(line: string): void {
    const { msg, name, input }: Record<string, unknown> = JSON.parse(line);
    const text = String(msg);
    if (text === "Request received" && isObject(input)) {
      const { prefer, accept } = isObject(input["headers"]) ? input["headers"] : {};
      this.#request = {
        method: String(input["method"]).toUpperCase(),
        path: String(input["path"]),
        prefer: typeof prefer === "string" ? prefer : "",
        accept: typeof accept === "string" ? accept : "",
      };
      this.#messages = [];
    } else if (name === "VALIDATOR" && !text.startsWith("The request passed")) this.#messages.push(text);
    else if (text.startsWith("Request terminated with error")) this.#end(undefined, text);
    else {
      const [, status] = /Responding with "(\d+)"/.exec(text) ?? [];
      if (status !== undefined) this.#end(Number(status));
    }
  }

  #end(status: number | undefined, ...messages: string[]): void {
    if (this.#request === undefined) return;
    // Faults of a response are logged after it.
    this.#messages.push(...messages);
    this.answered.push({ ...this.#request, status, messages: this.#messages });
    if (status === undefined) this.#request = undefined;
  }
}
