import { useEffect, useState } from "preact/hooks";
import { firstAnswer, isReading, read, ReadError } from "./read.ts";

/** Called with the runs that changed; without them, if everything may have changed. */
type Listener = (runs?: ReadonlySet<string>) => void;

const listeners = new Set<Listener>();
/** The time when the connection was lost; 0 while there is one. */
let lost = 0;

/** Long polling: the server responds as soon as something changes. */
export async function follow(): Promise<never> {
  let seq = await firstAnswer;
  for (let wait = 500; ;) {
    try {
      const changes = await read({
        path: "/changes",
        query: { after: seq, wait_ms: seq === 0 || lost > 0 ? 0 : 20_000 },
      });
      if (lost > 0) tellLost(0);
      else if (seq > 0 && changes.runs.length > 0) {
        tell(new Set(changes.runs));
        await rest();
      }
      seq = changes.seq;
      wait = 500;
      // Changes while a page is hidden are shown once, when the page is visible again.
      while (document.hidden)
        await new Promise((seen) => document.addEventListener("visibilitychange", seen, { once: true }));
    } catch (error) {
      tellLost(error instanceof ReadError && error.status === 401 ? 0 : lost || Date.now());
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, 5000);
    }
  }
}

/**
 * Waits until the page has read what changed, and then nine times as long, at most 0.7 s: a page that reads all the
 * time would slow down the logs that it shows.
 */
async function rest(): Promise<void> {
  const start = performance.now();
  do await new Promise(requestAnimationFrame);
  while (isReading());
  await new Promise((resolve) => setTimeout(resolve, Math.min(700, 9 * (performance.now() - start))));
}

function tell(runs?: ReadonlySet<string>): void {
  for (const listener of listeners) listener(runs);
}

function tellLost(since: number): void {
  if (since === lost) return;
  lost = since;
  // No run changed, or after a lost connection any may have.
  tell(since > 0 ? new Set() : undefined);
}

/** Calls a function at each change of a run, or of any run if none is given. */
export function useChanges(run: string | undefined, changed: () => void): void {
  useListener((runs) => {
    if (runs === undefined || (run === undefined ? runs.size > 0 : runs.has(run))) changed();
  });
}

/** The time when the connection was lost; 0 while there is one. */
export function useLost(): number {
  const [since, setSince] = useState(lost);
  useListener(() => setSince(lost));
  return since;
}

function useListener(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  });
}
