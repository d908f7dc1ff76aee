/**
 * The thread that a database lives in. Requests that arrive together are one transaction, and so one flush to disk:
 * that is what lets many small durable writes be fast.
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
import type { Message, Reply, Request, ThreadData } from "./protocol.ts";

const options: ThreadData = workerData;
if (parentPort === null) throw new Error("This module runs in a thread of the store.");
const port = parentPort;
const database: NodeDatabase = openData(options);

/** Above this, those that wait are answered first. */
const batchLimit = 256;
const writes: Request[] = [];
const reads: Request[] = [];
/** Commands that may leave much of the file without content. */
const freeing: ReadonlySet<string> = new Set(["store.reset", "models.delete", "imports.finish", "imports.abort"]);
let ended = false;
/** Whether such a command was done, and what it freed is not given back yet. */
let freed = false;

port.on("message", (message: Message) => {
  accept(message);
  do {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      accept(next.message);
    }
    if (writes.length > 0) reply(write(writes.splice(0, batchLimit)));
    // A read may take long. What is to be written waits for one of them at most.
    const read = reads.shift();
    if (read !== undefined) reply([alone(read)]);
  } while (writes.length > 0 || reads.length > 0);
  if (freed) setImmediate(giveBack);
  if (!ended) return;
  database.close();
  if (!options.readOnly && options.file !== ":memory:") noteClosed(options.file);
  port.close();
});

function accept(message: Message): void {
  if (message === null) ended = true;
  else {
    for (const request of message) {
      (request.reads ? reads : writes).push(request);
      freed ||= freeing.has(request.name);
    }
  }
}

/** Gives space that holds nothing back to the disk, a piece at a time: who asks meanwhile waits for one piece at most. */
function giveBack(): void {
  if (ended || !freed) return;
  try {
    freed = database.giveBack();
  } catch {
    // The storage fails, of which the next write tells.
    freed = false;
  }
  if (freed) setImmediate(giveBack);
}

function write(batch: Request[]): Reply[] {
  if (batch.length === 1) return batch.map(alone);
  try {
    return database.transaction(() => batch.map(perform));
  } catch {
    // Nothing of the transaction holds. With one for each, those that can be done are done.
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
