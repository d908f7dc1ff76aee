/** The outcome of one cell of the table. */
export interface Outcome {
  /** How many times the failing request was sent, without redirects. */
  readonly requests: number;
  /** The result: `value`, `wrong value`, `hangs`, or the name of the error. */
  readonly result: string;
  /** Whether the error says that the outcome is unknown. */
  readonly outcomeUnknown?: boolean;
  /** The wait in the error, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Whether a request was sent sooner than the service had asked for. */
  readonly tooSoon?: boolean;
  /** Whether the error lacks the service's message. */
  readonly wordsLost?: boolean;
  /** The number of stream pieces that arrived after the caller had aborted. */
  readonly late?: number;
  /** Whether the other origin received the key. */
  readonly keySeen?: boolean;
  /** The number of connections, and of listeners on the caller's signal, that were left at the end. */
  readonly connections?: number;
  readonly listeners?: number;
}

/** An outcome in the notation of the table. */
export function show(outcome: Outcome): string {
  const { requests, result, outcomeUnknown, retryAfterMs, tooSoon, wordsLost, late, keySeen, connections, listeners } =
    outcome;
  const notes = [
    retryAfterMs !== undefined && `wait ${String(retryAfterMs / 1000).replace("+", "")} s`,
    tooSoon && "sent too soon",
    wordsLost && "words lost",
    late && `${late} more`,
    keySeen && "key leaked",
    connections && "connection left",
    listeners && "listener left",
  ].filter((note) => typeof note === "string");
  return `${requests} ${result}${outcomeUnknown ? " ?" : ""}${notes.map((note) => `, ${note}`).join("")}`;
}
