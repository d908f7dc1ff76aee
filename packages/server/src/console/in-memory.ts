import type { Database } from "../store/database.ts";
import type { Context } from "../store/commands/context.ts";
import { ConsoleIndex, type QuestionAnswer, type QuestionInput, type QuestionName } from "./console-index.ts";
import { makeIndex } from "./schema.ts";

const indexes = new WeakMap<Database, ConsoleIndex>();

/** Answers the console in the store's own thread, because no other thread can read data in memory. */
export function askInMemory<K extends QuestionName>(
  { database }: Context,
  { name, input }: { name: K; input: QuestionInput<K> },
): QuestionAnswer<K> {
  let index = indexes.get(database);
  if (index === undefined) {
    index = new ConsoleIndex(database, makeIndex(database.inMemory()));
    indexes.set(database, index);
  }
  return index.answer(name, input);
}
