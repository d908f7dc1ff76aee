import { join } from "node:path";
import type { Store } from "../store/store.ts";
import { ThreadClient } from "../store/thread-client.ts";
import type { Questions } from "./console-index.ts";
import { inMemoryConsole, type Console } from "./in-memory-console.ts";
import type { ConsoleThreadData } from "./thread.ts";

/**
 * Opens the console's view in a thread of its own, which writes `console.sqlite` beside the data. The file can be deleted
 * at any time.
 */
export function openConsole(data: string, store: Store): Console {
  if (data === "memory") return inMemoryConsole(store);
  let thread: Promise<ThreadClient<Questions>> | undefined;
  const start = async (): Promise<ThreadClient<Questions>> => {
    // The store must have created its tables first.
    await store.call("store.ping", undefined);
    const files: ConsoleThreadData = { data: join(data, "trainyard.sqlite"), index: join(data, "console.sqlite") };
    return new ThreadClient({ module: new URL("./thread", import.meta.url), name: "console", data: files });
  };
  return {
    ask: async (name, input) => {
      thread ??= start();
      return (await thread).call({ name, input, now: 0, reads: true });
    },
    close: async () => (await thread)?.close(),
  };
}
