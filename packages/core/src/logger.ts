import type { ClientOptions } from "./options.ts";

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
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly durationMs?: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs?: number | undefined;
  /** The headers that may be shown. */
  readonly headers?: { readonly [name: string]: string };
}

const levels: readonly LogLevel[] = ["error", "warn", "info", "debug"];

// Bodies, credentials, cookies and what a program adds stay out: only what helps to find a request is shown.
const showable =
  /^(accept|content-(type|length)|date|deprecation|retry-after(-ms)?|sunset|x-(request-id|should-retry))$/;

/** Writes a line where the level asks for it; `undefined` where nothing is logged at all. */
export type Log =
  | ((level: Exclude<LogLevel, "off">, message: string, headers: Headers | undefined, facts: LogFacts) => void)
  | undefined;

/**
 * The log of a client. The first answer of an operation that says that it will go, by the header `Deprecation` (RFC 9745) or
 * `Sunset` (RFC 8594), is logged at `warn` at least. Dates are told as they were sent, so a malformed one is told too.
 */
export function logOf({ logger, logLevel = logger ? "warn" : "off" }: ClientOptions): Log {
  const most = levels.indexOf(logLevel);
  const target = logger ?? console;
  const told = new Set<string>();
  if (most < 0) return undefined;
  return (at, message, headers, facts) => {
    const { operation } = facts;
    const sunset = headers?.get("sunset");
    if ((sunset || headers?.get("deprecation")) && !told.has(operation)) {
      told.add(operation);
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
