/**
 * How much is logged: failed calls; also attempts that are sent again, and operations that are deprecated; also each call;
 * also each attempt.
 */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug";

/** Where the log goes: `console`, or what has its four functions. Bodies and keys never do. */
export interface Logger {
  error(message: string, facts: LogFacts): void;
  warn(message: string, facts: LogFacts): void;
  info(message: string, facts: LogFacts): void;
  debug(message: string, facts: LogFacts): void;
}

/** What a line of the log knows beside its message. */
export interface LogFacts {
  readonly operation: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly durationMs?: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs?: number;
  /** The headers that may be shown. */
  readonly headers?: { readonly [name: string]: string };
}

const levels = ["off", "error", "warn", "info", "debug"] as const;

// Bodies, credentials, cookies and what a program adds stay out: only what helps to find a request is shown.
const showable =
  /^(accept|content-type|content-length|date|deprecation|retry-after|retry-after-ms|sunset|x-request-id|x-should-retry)$/;

/** Writes a line where the level asks for it; `undefined` where nothing is logged at all. */
export type Log = ((level: Exclude<LogLevel, "off">, message: string, facts: LogFacts) => void) | undefined;

/**
 * The log of a client. The first answer of an operation that says that it will go, by the header `Deprecation` (RFC 9745) or
 * `Sunset` (RFC 8594), is logged at `warn` at least. Dates are told as they were sent, so a malformed one is told too.
 */
export function logOf(logger: Logger | undefined, level: LogLevel = logger ? "warn" : "off"): Log {
  const most = levels.indexOf(level);
  const target = logger ?? console;
  const told = new Set<string>();
  return most > 0
    ? (at, message, facts) => {
        const { operation, headers: { deprecation, sunset } = {} } = facts;
        if ((deprecation || sunset) && !told.has(operation)) {
          told.add(operation);
          if (at === "info") at = "warn";
          message += `, deprecated${sunset ? ` until ${sunset}` : ""}`;
        }
        if (levels.indexOf(at) <= most) target[at](message, facts);
      }
    : undefined;
}

/** The headers that a log may show. */
export function shown(headers: Headers): { [name: string]: string } {
  const facts: { [name: string]: string } = {};
  headers.forEach((value, name) => {
    if (showable.test(name)) facts[name] = value;
  });
  return facts;
}
