import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { isObject } from "@trainyard/core/validation";

/** A request that Prism answered, as its own log has it. */
export interface Answered {
  readonly method: string;
  readonly path: string;
  /** What the request asked for by `Prefer`. */
  readonly prefer: string;
  readonly accept: string;
  /** Undefined where Prism says that it ended with an error of its own. */
  readonly status: number | undefined;
  /** What Prism said of it: faults of the request, and of its answer. */
  readonly said: readonly string[];
}

/** A Prism server of one document. */
export interface Prism {
  readonly url: string;
  /** What it answered so far. It is asked for one thing after the other: its log does not tell requests apart. */
  answered(): readonly Answered[];
  close(): Promise<void>;
}

/**
 * Serves a document by Prism, as anybody would: its own server, unmodified, at a free port of loopback. It judges requests,
 * keys and its own answers, and makes nothing up where the document has an example.
 */
export async function startPrism(document: object): Promise<Prism> {
  const log = new Log();
  // A copy, because Prism resolves references in place, and others read the same document.
  // Bodies are left out of the log: to write them costs more than to answer.
  const serializers = { input: ({ method, url, headers }: Input) => ({ method, path: url.path, headers }) };
  const server = createServer(await getHttpOperationsFromSpec(structuredClone(document)), {
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

interface Input {
  readonly method: string;
  readonly url: { readonly path: string };
  readonly headers: object;
}

/** Reads what Prism writes: a line when a request came, lines of what is wrong with it, a line when it was answered. */
class Log {
  readonly answered: Answered[] = [];
  #request: Omit<Answered, "status" | "said"> | undefined;
  #said: string[] = [];

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
      this.#said = [];
    } else if (name === "VALIDATOR" && !text.startsWith("The request passed")) this.#said.push(text);
    else if (text.startsWith("Request terminated with error")) this.#end(undefined, text);
    else {
      const [, status] = /Responding with "(\d+)"/.exec(text) ?? [];
      if (status !== undefined) this.#end(Number(status));
    }
  }

  #end(status: number | undefined, ...said: string[]): void {
    if (this.#request === undefined) return;
    // Faults of an answer are told after it.
    this.#said.push(...said);
    this.answered.push({ ...this.#request, status, said: this.#said });
    if (status === undefined) this.#request = undefined;
  }
}
