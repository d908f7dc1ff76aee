import { setTimeout as later } from "node:timers/promises";
import type { ChatBackend } from "../chat/backend.ts";

/** How the server of chat is watched. */
export interface WatchOptions {
  /** Is given each sentence. */
  readonly say: (sentence: string) => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Milliseconds between two looks; 1,000 by default. */
  readonly everyMs?: number;
}

/**
 * Says once that a server of chat is not there yet, and once that it is: one that loads a model takes minutes. Says nothing of
 * one that is there at the first look. Resolves once it is there, or when the watch ends.
 */
export async function awaitBackEnd(
  backend: Pick<ChatBackend, "check">,
  { say, signal, everyMs = 1000 }: WatchOptions,
): Promise<void> {
  for (let looks = 0; !signal.aborted; looks++) {
    try {
      await backend.check(AbortSignal.any([signal, AbortSignal.timeout(10_000)]));
      if (looks > 0) say("The chat server is there.");
      return;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (looks === 0 && !signal.aborted) say(`${why} Chat answers 503 until it is there.`);
    }
    await later(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
