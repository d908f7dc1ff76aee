import { join } from "node:path";
import type { CommandName, Input, Result, ThreadData } from "./protocol.ts";
import type { Commands } from "./commands/index.ts";
import { wasClosed } from "./clean-end.ts";
import type { StorageFault } from "./storage-fault.ts";
import { StorageWatch } from "./storage-watch.ts";
import { ThreadClient } from "./thread-client.ts";

/** Where a store keeps its data, and what time it goes by. */
export interface StoreOptions {
  /** `memory`, or a folder that the caller owns. */
  readonly data: string;
  /** The time, in milliseconds. */
  readonly now: () => number;
  /** Is given sentences for those who run the server: of storage that fails and works again, and of a check that takes long. */
  readonly notice?: (sentence: string) => void;
  /** Is called when storage that failed works again. */
  readonly repaired?: () => void;
}

/**
 * All access to data. It is a set of named commands, each a transaction of its own; how they are done is known below
 * `store/` alone, so that another database could take its place.
 */
export interface Store {
  /** @param buffers are handed over: nobody else may read them any more */
  call<K extends CommandName>(name: K, input: Input<K>, buffers?: readonly ArrayBuffer[]): Promise<Result<K>>;
  /** Reads that may take long, off the way of the others. */
  read<K extends CommandName>(name: K, input: Input<K>): Promise<Result<K>>;
  close(): Promise<void>;
}

/** Opens a store in SQLite: a thread that writes, and for a folder a second one that reads, started when it is needed. */
export function openStore({ data, now, notice = () => undefined, repaired = () => undefined }: StoreOptions): Store {
  const memory = data === "memory";
  const file = memory ? ":memory:" : join(data, "trainyard.sqlite");
  const check = !memory && !wasClosed(file);
  if (check) notice(`${file} was not closed in order: it is checked before it is served.`);
  const storageFailed = (fault: StorageFault) => watch.failed(fault);
  const thread = (data: ThreadData) =>
    new ThreadClient<Commands>({ module: new URL("./thread", import.meta.url), name: "store", data, storageFailed });
  const writer = thread({ file, readOnly: false, check });
  const watch = new StorageWatch({
    file,
    check: () => writer.call({ name: "store.check", input: undefined, now: now(), reads: false }),
    notice,
    repaired,
  });
  let reader: ThreadClient<Commands> | undefined = memory ? writer : undefined;
  return {
    call: (name, input, buffers) => writer.call({ name, input, now: now(), reads: false }, buffers),
    read: async (name, input) => {
      // The reader can open only what the writer has made.
      if (reader === undefined) {
        await writer.call({ name: "store.ping", input: undefined, now: now(), reads: false });
      }
      reader ??= thread({ file, readOnly: true, check: false });
      return reader.call({ name, input, now: now(), reads: true });
    },
    close: async () => {
      watch.close();
      if (reader !== writer) await reader?.close();
      await writer.close();
    },
  };
}
