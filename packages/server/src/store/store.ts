import { join } from "node:path";
import type { CommandName, Input, Result, ThreadData } from "./protocol.ts";
import type { Commands } from "./commands/index.ts";
import { wasClosed } from "./clean-end.ts";
import { leaveMemoryThread, takeMemoryThread } from "./memory-threads.ts";
import { StorageWatch } from "./storage-watch.ts";
import { ThreadClient } from "./thread-client.ts";

/** Where a store keeps its data, and its clock. */
export interface StoreOptions {
  /** `memory`, or a folder that the caller has locked. */
  readonly data: string;
  /** The time, in milliseconds. */
  readonly now: () => number;
  /**
   * Receives notices for the people who run the server: that storage fails or works again, or that a check takes long.
   */
  readonly notice?: (sentence: string) => void;
  /** Is called when storage that failed works again. */
  readonly repaired?: () => void;
}

/**
 * All access to data: named commands, each a transaction of its own. Only `store/` knows how they are implemented, so
 * another database could replace SQLite.
 */
export interface Store {
  /** @param buffers are transferred: the caller must not read them afterwards */
  call<K extends CommandName>(name: K, input: Input<K>, buffers?: readonly ArrayBuffer[]): Promise<Result<K>>;
  /** Reads that may take long, in a thread of their own. */
  read<K extends CommandName>(name: K, input: Input<K>): Promise<Result<K>>;
  close(): Promise<void>;
}

/**
 * Opens a store in SQLite: a thread that writes and, for a folder, a second one that reads, started when it is first
 * needed.
 */
export function openStore({ data, now, notice = () => undefined, repaired = () => undefined }: StoreOptions): Store {
  const memory = data === "memory";
  const file = memory ? ":memory:" : join(data, "trainyard.sqlite");
  const check = !memory && !wasClosed(file);
  if (check) notice(`The data file ${file} was not closed cleanly. It is checked before the server starts.`);
  const thread = (data: ThreadData) =>
    new ThreadClient<Commands>({ module: new URL("./thread", import.meta.url), name: "store", data });
  const writer = (memory ? takeMemoryThread() : undefined) ?? thread({ file, readOnly: false, check });
  const watch = new StorageWatch({
    file,
    check: () => writer.call({ name: "store.check", input: undefined, now: now(), reads: false }),
    notice,
    repaired,
  });
  writer.storageFailed = (fault) => watch.failed(fault);
  let reader: ThreadClient<Commands> | undefined = memory ? writer : undefined;
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    watch.close();
    if (memory) return leaveMemoryThread(writer);
    await reader?.close();
    await writer.close();
  };
  return {
    call: (name, input, buffers) => {
      if (closed !== undefined) return Promise.reject(closedFault());
      return writer.call({ name, input, now: now(), reads: false }, buffers);
    },
    read: async (name, input) => {
      if (closed !== undefined) throw closedFault();
      // The reader can only open a file that the writer has created.
      if (reader === undefined) {
        await writer.call({ name: "store.ping", input: undefined, now: now(), reads: false });
      }
      if (reader === undefined) {
        reader = thread({ file, readOnly: true, check: false });
        reader.storageFailed = writer.storageFailed;
      }
      return reader.call({ name, input, now: now(), reads: true });
    },
    close: () => (closed ??= end()),
  };
}

function closedFault(): Error {
  return new Error("The store is closed.");
}
