/** What the engine knows of a call when it fails. */
export interface CallFacts {
  operation: string;
  attempts: number;
  outcomeUnknown: boolean;
}

/**
 * What every error of a client is: `instanceof` holds across copies of this package.
 *
 * What to do: take it for all of them, where you tell none from another.
 */
export class TrainyardError extends Error implements CallFacts {
  // On the prototype, as a literal: it survives minification, and the first line of the stack has it.
  override get name(): string {
    return "TrainyardError";
  }

  /** The name of the operation that people call, `models.create`; empty where no call failed. */
  readonly operation: string;
  /** How often the request was sent. 0: the service never saw it. */
  readonly attempts: number;
  /** Whether the service may have done it all the same, and sending it again could do it twice. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, facts?: Partial<CallFacts>, options?: ErrorOptions) {
    // A message may repeat a service's words, and people print it: no character of it may steer a terminal or begin a line.
    super(message.replace(/[\p{Cc}\u2028\u2029]+/gu, " "), options);
    this.operation = facts?.operation ?? "";
    this.attempts = facts?.attempts ?? 0;
    this.outcomeUnknown = facts?.outcomeUnknown ?? false;
  }

  // By name, so that it holds across two installed copies. A plain boolean: as a type predicate it would narrow each
  // subclass to this class.
  static override [Symbol.hasInstance](value: unknown): boolean {
    const own: object = this.prototype;
    // Of what else there is, a look at `name` may throw.
    if (!(value instanceof Error && "outcomeUnknown" in value)) return false;
    const names: unknown[] = [];
    for (let level: object = value; level; level = Object.getPrototypeOf(level)) {
      if (level === own) return true;
      if (Object.hasOwn(level, "name")) names.push(Reflect.get(level, "name", value));
    }
    // A program's own subclass has no name of ours to compare.
    return Object.hasOwn(own, "name") && names.includes(Reflect.get(own, "name"));
  }
}
