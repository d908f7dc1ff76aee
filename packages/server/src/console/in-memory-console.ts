import type { Store } from "../store/store.ts";
import type { QuestionAnswer, QuestionInput, QuestionName } from "./console-index.ts";

/** The view of the data that the console is shown from. It costs nothing before somebody asks. */
export interface Console {
  ask<K extends QuestionName>(name: K, input: QuestionInput<K>): Promise<QuestionAnswer<K>>;
  close(): Promise<void>;
}

/** The view of data that are in memory: nobody but the store can read them, so it answers. */
export function inMemoryConsole(store: Store): Console {
  return {
    ask: async (name, input) => (await store.read("console.ask", { name, input })) as QuestionAnswer<typeof name>,
    close: async () => undefined,
  };
}
