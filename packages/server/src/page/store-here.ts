import { commands } from "../store/commands/index.ts";
import type { Database } from "../store/database.ts";
import { migrate } from "../store/migrations.ts";
import type { CommandName, Input, Result } from "../store/protocol.ts";
import type { Store } from "../store/store.ts";

/** Opens a store in an empty database, in this thread. Each command is a transaction of its own. */
export function openStoreHere(database: Database, now: () => number): Store {
  migrate(database);
  const call = async <K extends CommandName>(name: K, input: Input<K>): Promise<Result<K>> => {
    const context = { database, now: now() };
    // The table types each command's input and result. The type of a call by name loses that they belong together.
    return database.transaction(() => commands[name](context, input as never)) as Result<K>;
  };
  return { call, read: call, close: async () => database.close() };
}
