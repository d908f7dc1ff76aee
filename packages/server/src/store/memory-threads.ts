import type { Thread } from "@trainyard/host/thread";
import type { Outcome } from "./outcome.ts";
import type { Question } from "./protocol.ts";

type StoreThread = Thread<Question, Outcome>;

/** Milliseconds that a thread waits for the next store. */
const patience = 1000;
let idle: { readonly thread: StoreThread; readonly timer: NodeJS.Timeout } | undefined;

/** The thread of a closed store in memory, without data; undefined if there is none. */
export function takeMemoryThread(): StoreThread | undefined {
  if (idle === undefined) return undefined;
  const { thread, timer } = idle;
  clearTimeout(timer);
  idle = undefined;
  return thread.isOpen ? thread : undefined;
}

/**
 * Keeps the thread of a closed store in memory for the next one, for a second: programs that test against this server create
 * one after the other, and a thread takes a tenth of a second to start. At most one is kept.
 */
export async function leaveMemoryThread(thread: StoreThread): Promise<void> {
  const isEmpty = await thread.ask("close").then(
    () => true,
    () => false,
  );
  if (!isEmpty || idle !== undefined) return thread.close();
  const timer = setTimeout(() => {
    idle = undefined;
    void thread.close();
  }, patience);
  idle = { thread, timer: timer.unref() };
}
