import { join } from "node:path";
import { moduleAt, Thread } from "@trainyard/host/thread";
import { resultOf, type Outcome } from "../store/outcome.ts";
import type { Store } from "../store/store.ts";
import { inMemoryConsole, type Console } from "./in-memory-console.ts";
import type { QuestionAnswer } from "./console-index.ts";
import type { ConsoleQuestion, ConsoleThreadData } from "./thread.ts";

/**
 * Opens the console's view in a thread of its own, which writes `console.sqlite` beside the data. The file can be deleted
 * at any time.
 */
export function openConsole(data: string, store: Store): Console {
  if (data === "memory") return inMemoryConsole(store);
  const files: ConsoleThreadData = { data: join(data, "trainyard.sqlite"), index: join(data, "console.sqlite") };
  const thread = new Thread<ConsoleQuestion, Outcome>({
    name: "console",
    module: moduleAt("./thread", import.meta.url),
    data: files,
  });
  let created: Promise<void> | undefined;
  return {
    ask: async (name, input) => {
      // The store must have created its tables first.
      await (created ??= store.call("store.ping", undefined));
      return resultOf(await thread.ask({ name, input })) as QuestionAnswer<typeof name>;
    },
    close: () => thread.close(),
  };
}
