import type { Commands } from "./commands/index.ts";
import type { ThreadClient } from "./thread-client.ts";

type Thread = ThreadClient<Commands>;

/** Milliseconds that a thread waits for the next store. */
const patience = 1000;
let idle: { readonly thread: Thread; readonly timer: NodeJS.Timeout } | undefined;

/** The thread of a closed store in memory, with an empty database; undefined if there is none. */
export function takeMemoryThread(): Thread | undefined {
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
export async function leaveMemoryThread(thread: Thread): Promise<void> {
  const isEmpty = await thread.empty().then(
    () => true,
    () => false,
  );
  if (!isEmpty || idle !== undefined) return thread.close();
  thread.storageFailed = undefined;
  const timer = setTimeout(() => {
    idle = undefined;
    void thread.close();
  }, patience);
  idle = { thread, timer: timer.unref() };
}
