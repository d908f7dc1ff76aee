import type { Store } from "../store/store.ts";
import type { QuestionAnswer, QuestionInput, QuestionName } from "./console-index.ts";

/** The view of the data for the console. It costs nothing before the first question. */
export interface Console {
  ask<K extends QuestionName>(name: K, input: QuestionInput<K>): Promise<QuestionAnswer<K>>;
  close(): Promise<void>;
}

/** The view of data in memory. Only the store's thread can read them, so it answers. */
export function inMemoryConsole(store: Store): Console {
  return {
    ask: async (name, input) => (await store.read("console.ask", { name, input })) as QuestionAnswer<typeof name>,
    close: async () => undefined,
  };
}
