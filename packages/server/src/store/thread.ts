/**
 * The thread that owns a database. Requests that arrive together share one transaction, and so one flush to disk, which
 * makes many small durable writes fast.
 *
 * @module
 */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { Context } from "./commands/context.ts";
import { commands } from "./commands/index.ts";
import { noteClosed } from "./clean-end.ts";
import { failureOf } from "./failure.ts";
import type { NodeDatabase } from "./node-database.ts";
import { openData } from "./open-data.ts";
import type { Reply, Request, StoreMessage, ThreadData } from "./protocol.ts";

const options: ThreadData = workerData;
if (parentPort === null) throw new Error("This module runs in a thread of the store.");
const port = parentPort;
let database: NodeDatabase = openData(options);

/** Above this number, the requests so far are answered before more are taken. */
const batchLimit = 256;
const writes: Request[] = [];
const reads: Request[] = [];
/** Commands that may leave large parts of the file unused. */
const freeing: ReadonlySet<string> = new Set(["store.reset", "models.delete", "imports.finish", "imports.abort"]);
let ended = false;
let emptied = false;
/** Whether such a command has run, and the space that it freed is not released yet. */
let freed = false;

port.on("message", (message: StoreMessage) => {
  accept(message);
  do {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      accept(next.message);
    }
    if (writes.length > 0) reply(write(writes.splice(0, batchLimit)));
    // A read may take long, so a write waits for at most one of them.
    const read = reads.shift();
    if (read !== undefined) reply([alone(read)]);
  } while (writes.length > 0 || reads.length > 0);
  if (emptied) empty();
  if (freed) setImmediate(giveBack);
  if (!ended) return;
  database.close();
  if (!options.readOnly && options.file !== ":memory:") noteClosed(options.file);
  port.close();
});

function accept(message: StoreMessage): void {
  if (message === null) ended = true;
  else if (message === "empty") emptied = true;
  else {
    for (const request of message) {
      (request.reads ? reads : writes).push(request);
      freed ||= freeing.has(request.name);
    }
  }
}

function empty(): void {
  emptied = false;
  freed = false;
  database.close();
  database = openData(options);
  reply([]);
}

/** Releases unused space to the disk, a piece at a time: a request meanwhile waits for at most one piece. */
function giveBack(): void {
  if (ended || !freed) return;
  try {
    freed = database.giveBack();
  } catch {
    // The storage fails. The next write reports it.
    freed = false;
  }
  if (freed) setImmediate(giveBack);
}

function write(batch: Request[]): Reply[] {
  if (batch.length === 1) return batch.map(alone);
  try {
    return database.transaction(() => batch.map(perform));
  } catch {
    // The transaction was rolled back. Run each request in a transaction of its own, so that the valid ones succeed.
    return batch.map(alone);
  }
}

function alone(request: Request): Reply {
  try {
    return database.transaction(() => perform(request));
  } catch (error) {
    return failureOf(request.id, error);
  }
}

function perform({ id, name, input, now }: Request): Reply {
  const context: Context = { database, now };
  return { id, result: commands[name](context, input as never) };
}

function reply(replies: Reply[]): void {
  port.postMessage(replies);
}
