import { codeOf } from "./code-of.ts";
import { requestIdOf } from "./response.ts";

/** The state of a call when it fails. */
export interface CallFacts {
  operation: string;
  attempts: number;
  outcomeUnknown: boolean;
  /** The response, once its headers have arrived. */
  response?: Response | undefined;
  /** The code that the service reported. */
  code?: string | undefined;
  /** Of a stream: the answer as far as it has arrived. */
  given?: () => unknown;
  /** What makes the call safe to retry. The message names it if the outcome is unknown. */
  cure?: string;
  /** Of a stream: how much of it has arrived, for messages. */
  progress?: () => string;
}

/** The facts of a call that was not sent yet. */
export const factsOf = (operation: string): CallFacts => ({ operation, attempts: 0, outcomeUnknown: false });

/** An error as JSON. It helps to find the cause, and contains nothing from the request or response bodies. */
export interface ErrorJson {
  name: string;
  message: string;
  code: string | undefined;
  operation: string;
  attempts: number;
  outcomeUnknown: boolean;
  status?: number;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  issues?: readonly object[];
}

/**
 * The base class of all errors of a client. `instanceof` works across copies of this package. A middleware that fails, and a
 * body that cannot be read although the connection did not break, are errors of this class, with the reason as `cause`.
 *
 * What to do: catch it if you handle all errors alike.
 */
export class TrainyardError extends Error implements CallFacts {
  // A literal on the prototype survives minification, and the first line of the stack contains it.
  override get name(): string {
    return "TrainyardError";
  }

  /** The name of the operation, as in `models.create`. Empty if no call failed. */
  declare readonly operation: string;
  /** How many times the request was sent. 0 means that the service never received it. */
  declare readonly attempts: number;
  /** Whether the service may have processed the request, so that sending it again could repeat its effect. */
  declare readonly outcomeUnknown: boolean;
  /** The HTTP status, if the headers of a response have arrived. */
  declare readonly status?: number;
  /** The header `x-request-id`, if it has arrived. Include it when you ask the service's owner for help. */
  declare readonly requestId?: string | undefined;
  readonly #code: string | undefined;
  // Private, because it is part of a response: available to code, but never printed by `console.log` or a logger.
  readonly #partial: unknown;

  /** @param message What failed. The name of the operation is put before it, if there is one. */
  constructor(
    message: string,
    { given, cure, progress, response, code, ...facts }: Partial<CallFacts> = {},
    options?: ErrorOptions,
  ) {
    const text =
      (facts.operation ? `${facts.operation}: ` : "") +
      message +
      (facts.outcomeUnknown && cure ? `; retried only with ${cure}` : "");
    // The message may quote the service, and people print it. Remove control characters, which could steer a terminal or
    // start a new line.
    super(text.replace(/[\p{Cc}\u2028\u2029]+/gu, " "), options);
    void progress;
    const answered = response && { status: response.status, requestId: requestIdOf(response) };
    Object.assign(this, factsOf(""), facts, answered);
    this.#code = code;
    this.#partial = given?.();
  }

  /** The code that the runtime or the service reported: `ECONNREFUSED`, `invalid_value`. */
  get code(): string | undefined {
    return this.#code ?? codeOf(this.cause);
  }

  /** For a stream that ended early: the answer as far as it had arrived, as `stream.partial()` returns it. */
  get partial(): unknown {
    return this.#partial;
  }

  /** The form that `JSON.stringify` writes: name, message, code and facts, without bodies, headers and causes. */
  toJSON(): ErrorJson {
    const { name, message, code } = this;
    return Object.assign({ name, message, code }, this);
  }

  // Compare names, so that it works across two installed copies. Return a plain boolean: a type predicate would narrow each
  // subclass to this class.
  static override [Symbol.hasInstance](value: unknown): boolean {
    const own: TrainyardError = this.prototype;
    // Subclasses that a program defines have no name of ours. Use the prototype chain for them.
    const named = Object.hasOwn(own, "name");
    // Reading `name` of an arbitrary value may throw.
    let level = value instanceof Error && "outcomeUnknown" in value && value;
    for (; level; level = Object.getPrototypeOf(level))
      if (level === own || (named && level.name === own.name)) return true;
    return false;
  }
}
