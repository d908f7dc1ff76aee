import { useEffect, useState } from "preact/hooks";
import { firstAnswer, read, ReadError } from "./read.ts";

/** The state of the connection. `since` is the time when it was lost. */
export interface Connection {
  readonly isLost: boolean;
  readonly since: number;
}

/** The runs that changed. */
type Changed = Pick<ReadonlySet<string>, "has">;
type Listener = (runs: Changed) => void;

const listeners = new Set<Listener>();
const watchers = new Set<(connection: Connection) => void>();
let connection: Connection = { isLost: false, since: 0 };

/** Long polling: the server responds as soon as something changes. */
export async function follow(): Promise<never> {
  let seq = await firstAnswer;
  for (let wait = 500; ;) {
    try {
      const changes = await read({
        path: "/changes",
        query: { after: seq, wait_ms: seq === 0 || connection.isLost ? 0 : 20_000 },
      });
      const isFirst = seq === 0;
      seq = changes.seq;
      wait = 500;
      setConnection({ isLost: false, since: 0 });
      if (!isFirst && changes.runs.length > 0) for (const listener of listeners) listener(new Set(changes.runs));
      // Changes while a page is hidden are shown once, when the page is visible again.
      if (document.hidden) await visible();
    } catch (error) {
      if (error instanceof ReadError && error.status === 401) setConnection({ isLost: false, since: 0 });
      else if (!connection.isLost) setConnection({ isLost: true, since: Date.now() });
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, 5000);
    }
  }
}

/** Calls a function at each change of a run, or of any run if none is given. */
export function useChanges(run: string | undefined, changed: () => void): void {
  useEffect(() => {
    const listener: Listener = (runs) => {
      if (run === undefined || runs.has(run)) changed();
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [run, changed]);
}

export function useConnection(): Connection {
  const [now, setNow] = useState(connection);
  useEffect(() => {
    watchers.add(setNow);
    return () => void watchers.delete(setNow);
  }, []);
  return now;
}

function setConnection(next: Connection): void {
  if (next.isLost === connection.isLost) return;
  const wasLost = connection.isLost;
  connection = next;
  for (const watcher of watchers) watcher(next);
  if (wasLost) for (const listener of listeners) listener(everything);
}

/** After a lost connection, everything may have changed. */
const everything: Changed = { has: () => true };

function visible(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}
