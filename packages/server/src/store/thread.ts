/**
 * The thread that a database lives in. Requests that arrive together are one transaction, and so one flush to disk:
 * that is what lets many small durable writes be fast.
 *
 * @module
 */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { Context } from "./commands/context.ts";
import { commands } from "./commands/index.ts";
import { Database } from "./database.ts";
import { migrate } from "./migrations.ts";
import { StoreRefusal } from "./refusal.ts";
import type { Reply, Request, ThreadData } from "./protocol.ts";

const { file, readOnly }: ThreadData = workerData;
if (parentPort === null) throw new Error("This module runs in a thread of the store.");
const port = parentPort;
const database = new Database(file, readOnly);
if (!readOnly) migrate(database);

/** Above this, those that wait are answered first. A reader has nothing to flush, and answers one by one. */
const batchLimit = readOnly ? 1 : 256;

/** Null asks the thread to end. */
port.on("message", (first: Request | null) => {
  if (first === null) return end();
  const batch = [first];
  let last = false;
  while (batch.length < batchLimit) {
    const next: { message: Request | null } | undefined = receiveMessageOnPort(port);
    last = next?.message === null;
    if (next === undefined || next.message === null) break;
    batch.push(next.message);
  }
  port.postMessage(perform(batch));
  if (last) end();
});

function end(): void {
  database.close();
  port.close();
}

function perform(batch: Request[]): Reply[] {
  try {
    return database.transaction(() => batch.map((request) => answer(request, batch.length > 1)));
  } catch (error) {
    // Nothing of the transaction holds, so nothing of it may be acknowledged.
    return batch.map(({ id }) => failure(id, error));
  }
}

function answer({ id, name, input, now }: Request, shared: boolean): Reply {
  const context: Context = { database, now };
  if (!shared) return { id, result: commands[name](context, input as never) };
  database.exec("savepoint request");
  try {
    const result: unknown = commands[name](context, input as never);
    database.exec("release request");
    return { id, result };
  } catch (error) {
    database.exec("rollback to request; release request");
    return failure(id, error);
  }
}

function failure(id: number, error: unknown): Reply {
  if (error instanceof StoreRefusal) return { id, refusal: error.message };
  return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
