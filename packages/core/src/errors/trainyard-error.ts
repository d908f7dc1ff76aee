import { codeOf } from "./code-of.ts";

/** What the engine knows of a call when it fails. */
export interface CallFacts {
  operation: string;
  attempts: number;
  outcomeUnknown: boolean;
  /** Of a stream: what has come of its answer until now. */
  given?: () => unknown;
}

/** The facts of a call before it is sent. */
export const factsOf = (operation: string): CallFacts => ({ operation, attempts: 0, outcomeUnknown: false });

/** An error as JSON: what helps to find it, and nothing of what was sent or answered. */
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
 * The base class of all errors of a client. `instanceof` works across copies of this package.
 *
 * What to do: catch it if you handle all errors alike.
 */
export class TrainyardError extends Error implements CallFacts {
  // On the prototype, as a literal: it survives minification, and the first line of the stack has it.
  override get name(): string {
    return "TrainyardError";
  }

  /** The name of the operation that people call, `models.create`; empty where no call failed. */
  declare readonly operation: string;
  /** How often the request was sent. 0: the service never saw it. */
  declare readonly attempts: number;
  /** Whether the service may have done it all the same, and sending it again could do it twice. */
  declare readonly outcomeUnknown: boolean;
  // Private, because it is what was answered: shown on request, never by `console.log` or a log.
  readonly #partial: unknown;

  /** @param message What failed. The operation is put before it, where there is one. */
  constructor(message: string, { given, ...facts }: Partial<CallFacts> = {}, options?: ErrorOptions) {
    const text = facts.operation ? `${facts.operation}: ${message}` : message;
    // A message may repeat a service's words, and people print it: no character of it may steer a terminal or begin a line.
    super(text.replace(/[\p{Cc}\u2028\u2029]+/gu, " "), options);
    Object.assign(this, factsOf(""), facts);
    this.#partial = given?.();
  }

  /** The code that the runtime or the service gave: `ECONNREFUSED`, `invalid_value`. */
  get code(): string | undefined {
    return codeOf(this.cause);
  }

  /** Of a stream that ended early: what had come of its answer, as `stream.partial()` gives it. */
  get partial(): unknown {
    return this.#partial;
  }

  /** What `JSON.stringify` writes: name, message, code and the facts, without bodies, headers and causes. */
  toJSON(): ErrorJson {
    const { name, message, code } = this;
    return Object.assign({ name, message, code }, this);
  }

  // By name, so that it holds across two installed copies. A plain boolean: as a type predicate it would narrow each
  // subclass to this class.
  static override [Symbol.hasInstance](value: unknown): boolean {
    const own: TrainyardError = this.prototype;
    // A program's own subclass has no name of ours to compare.
    const named = Object.hasOwn(own, "name");
    // Of what else there is, a look at `name` may throw.
    let level = value instanceof Error && "outcomeUnknown" in value && value;
    for (; level; level = Object.getPrototypeOf(level))
      if (level === own || (named && level.name === own.name)) return true;
    return false;
  }
}
