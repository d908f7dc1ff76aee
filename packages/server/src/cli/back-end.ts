import { setTimeout as later } from "node:timers/promises";
import { BackendError, type ChatBackend } from "../chat/backend.ts";

/** How the chat server is watched. */
export interface WatchOptions {
  /** Receives each notice. */
  readonly say: (sentence: string) => void;
  /** Ends the watch when it aborts. */
  readonly signal: AbortSignal;
  /** Milliseconds between two checks; 1,000 by default. */
  readonly everyMs?: number;
}

/**
 * Reports once that a chat server cannot be reached yet, and once that it can: one that loads a model takes minutes.
 * Reports nothing if the first check succeeds. Resolves when the server can be reached, or when the watch ends.
 */
export async function awaitBackEnd(
  backend: Pick<ChatBackend, "check">,
  { say, signal, everyMs = 1000 }: WatchOptions,
): Promise<void> {
  for (let looks = 0; !signal.aborted; looks++) {
    try {
      await backend.check(AbortSignal.any([signal, AbortSignal.timeout(10_000)]));
      if (looks > 0) say("The chat server can be reached now.");
      return;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const why = error instanceof BackendError ? (error.details.reason ?? message) : message;
      if (looks === 0 && !signal.aborted) say(`${why} Chat requests return 503 until it can be reached.`);
    }
    await later(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
