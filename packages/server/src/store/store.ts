import { join } from "node:path";
import type { ThreadEnd } from "@trainyard/host";
import { moduleAt, Thread } from "@trainyard/host/thread";
import { wasClosed } from "./clean-end.ts";
import type { Notice } from "../options.ts";
import { leaveMemoryThread, takeMemoryThread } from "./memory-threads.ts";
import { resultOf, type Outcome } from "./outcome.ts";
import type { CommandName, Input, Question, Result, ThreadData } from "./protocol.ts";
import { StorageFault } from "./storage-fault.ts";
import { damagedFrames } from "./wal-frames.ts";
import { StorageWatch } from "./storage-watch.ts";

/** Where a store keeps its data, and its clock. */
export interface StoreOptions {
  /** `memory`, or a folder that the caller has locked. */
  readonly data: string;
  /** The time, in milliseconds. */
  readonly now: () => number;
  /**
   * Receives notices for the people who run the server: that storage fails or works again, or that a check takes long.
   */
  readonly notice?: Notice;
  /** Is called when storage that failed works again. */
  readonly repaired?: () => void;
  /** Is called when a thread of the store has ended by an error. The next question starts it again. */
  readonly crashed?: (end: ThreadEnd) => void;
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
export function openStore({
  data,
  now,
  notice = () => undefined,
  repaired = () => undefined,
  crashed,
}: StoreOptions): Store {
  const memory = data === "memory";
  const file = memory ? ":memory:" : join(data, "trainyard.sqlite");
  const check = !memory && !wasClosed(file);
  if (check) notice(`The data file ${file} was not closed cleanly. It is checked before the server starts.`);
  const damaged = check ? damagedFrames(`${file}-wal`) : undefined;
  if (damaged !== undefined) {
    const { recovered, all } = damaged;
    notice(`${file}-wal is damaged: recovered ${recovered} of ${all} frames; what came after them is lost.`);
  }
  const thread = (name: string, readOnly: boolean) => {
    const data: ThreadData = { file, readOnly, check: check && !readOnly };
    const loses = memory && { loses: "Its data were in memory, and are lost. Start the server again." };
    return new Thread<Question, Outcome>({
      name,
      module: moduleAt("./thread", import.meta.url),
      data,
      crashed,
      ...loses,
    });
  };
  const writer = (memory ? takeMemoryThread() : undefined) ?? thread("store", false);
  const reader = memory ? writer : thread("store reader", true);
  const watch = new StorageWatch({ file, check: () => call("store.check", undefined), notice, repaired });
  let closed: Promise<void> | undefined;

  async function ask<K extends CommandName>(
    name: K,
    input: Input<K>,
    { reads, transfer }: { reads: boolean; transfer?: readonly ArrayBuffer[] | undefined },
  ): Promise<Result<K>> {
    if (closed !== undefined) throw new Error("The store is closed.");
    try {
      const { project = "", entity = project.split("/", 1)[0] ?? "" }: { project?: string; entity?: string } =
        Object(input);
      const outcome = await (reads ? reader : writer).ask({ name, input, entity, now: now(), reads }, { transfer });
      // Only the name of the command is sent, so the type is lost on the way.
      return resultOf(outcome) as Result<K>;
    } catch (error) {
      if (error instanceof StorageFault) watch.failed(error);
      throw error;
    }
  }

  const call: Store["call"] = (name, input, transfer) => ask(name, input, { reads: false, transfer });
  /** Whether the writer has created the file. The reader can open it only then. */
  let isCreated = memory;

  async function end(): Promise<void> {
    watch.close();
    if (memory) return leaveMemoryThread(writer);
    for (const one of isCreated ? [reader, writer] : [writer]) {
      await one.ask("close").catch(() => undefined);
      await one.close();
    }
  }

  return {
    call,
    read: async (name, input) => {
      if (!isCreated) await call("store.ping", undefined);
      isCreated = true;
      return ask(name, input, { reads: true });
    },
    close: () => (closed ??= end()),
  };
}
