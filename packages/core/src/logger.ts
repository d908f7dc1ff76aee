/**
 * How much is logged, each level in addition to the one before: nothing; failed calls; retried attempts and deprecated
 * operations; every call; every attempt.
 */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug";

/** Receives the log: `console`, or an object with the same four functions. Bodies and keys are never logged. */
export interface Logger {
  error(message: string, facts: LogFacts): void;
  warn(message: string, facts: LogFacts): void;
  info(message: string, facts: LogFacts): void;
  debug(message: string, facts: LogFacts): void;
}

/** The facts of a log line, beside its message. */
export interface LogFacts {
  readonly operation: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly durationMs?: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs?: number | undefined;
  /** Headers that are safe to log. */
  readonly headers?: { readonly [name: string]: string };
}

const levels: readonly LogLevel[] = ["error", "warn", "info", "debug"];

// Bodies, credentials, cookies and unknown headers are never logged, only what helps to find a request.
const showable =
  /^(accept|content-(type|length)|date|deprecation|retry-after(-ms)?|sunset|x-(request-id|should-retry))$/;

/** Writes a line if its level is enabled. `undefined` if nothing is logged at all. */
export type Log =
  | ((level: Exclude<LogLevel, "off">, message: string, headers: Headers | undefined, facts: LogFacts) => void)
  | undefined;

/**
 * Creates the log of a client. The first response of an operation that carries the header `Deprecation` (RFC 9745) or
 * `Sunset` (RFC 8594) is logged at `warn` or above. Dates are logged as they were sent, even malformed ones.
 */
export function logOf(logger: Logger | undefined, logLevel: LogLevel = logger ? "warn" : "off"): Log {
  const most = levels.indexOf(logLevel);
  const target = logger ?? console;
  const warned = new Set<string>();
  if (most < 0) return undefined;
  return (at, message, headers, facts) => {
    const { operation } = facts;
    const sunset = headers?.get("sunset");
    if ((sunset || headers?.get("deprecation")) && !warned.has(operation)) {
      warned.add(operation);
      if (at === "info") at = "warn";
      message += `, deprecated${sunset ? ` until ${sunset}` : ""}`;
    }
    if (levels.indexOf(at) > most) return;
    target[at](
      message,
      headers ? { ...facts, headers: Object.fromEntries([...headers].filter(([name]) => showable.test(name))) } : facts,
    );
  };
}
