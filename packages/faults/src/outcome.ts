/** What came of one cell of the table. */
export interface Outcome {
  /** How often the request that failed was sent, redirections not counted. */
  readonly requests: number;
  /** What the caller got: `value`, `wrong value`, `hangs`, or the name of the error. */
  readonly result: string;
  /** Whether the error says that nobody knows what the service did. */
  readonly outcomeUnknown?: boolean;
  /** The time to wait that the error tells, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Whether a request came sooner than the service had asked for. */
  readonly tooSoon?: boolean;
  /** Whether the error does not repeat what the service said. */
  readonly wordsLost?: boolean;
  /** How many pieces of a stream came after the caller had stopped the call. */
  readonly late?: number;
  /** Whether the other origin saw the key. */
  readonly keySeen?: boolean;
  /** How many connections, and how many listeners of the caller's signal, were left when all was over. */
  readonly connections?: number;
  readonly listeners?: number;
}

/** An outcome in the words of the table. */
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
