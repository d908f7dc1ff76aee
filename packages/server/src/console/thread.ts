/**
 * The thread that the console is answered in. It only reads the data, and writes its own file alone, so that those who log
 * wait for nobody. While it has not read everything, it reads on between two questions.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { failureOf } from "../store/failure.ts";
import { NodeDatabase } from "../store/node-database.ts";
import type { Message, Reply, Request } from "../store/protocol.ts";
import { ConsoleIndex, type QuestionInput, type Questions } from "./console-index.ts";
import { openIndex } from "./index-file.ts";
import { Pace } from "./pace.ts";

/** What the thread is started with: the store's file and its own. */
export interface ConsoleThreadData {
  readonly data: string;
  readonly index: string;
}

const files: ConsoleThreadData = workerData;
if (parentPort === null) throw new Error("This module runs in a thread of the console.");
const port = parentPort;
// Those who log go first where processors are scarce. On Linux this is the priority of the thread, elsewhere of the process.
if (process.platform === "linux") setPriority(19);
const data = new NodeDatabase(files.data, true);
const derived = openIndex(files.index, () => {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${files.index}${end}`, { force: true });
});
const index = new ConsoleIndex(data, derived);
const pace = new Pace();
/** What is read at a time, in milliseconds: a question waits for one such piece, and each is a flush to disk. */
const readBudget = 120;
let reading = false;

port.on("message", (message: Message<Questions>) => {
  if (message !== null) {
    // Each at once: who asked for little does not wait for who asked for much.
    for (const request of message) port.postMessage([answer(request)]);
    return readOn();
  }
  data.close();
  derived.close();
  port.close();
});

/** Not in one go: who asks is answered in between. */
function readOn(): void {
  if (reading) return;
  reading = true;
  setTimeout(() => {
    reading = false;
    if (!pace.during(() => index.readOn(readBudget))) readOn();
  }, pace.rest);
}

function answer({ id, name, input }: Request<Questions>): Reply {
  try {
    if (pace.rest > 0 && name === "changes") {
      // Who is told of changes asks for all that a page shows: that comes after the rest.
      const { after: seq } = input as QuestionInput<"changes">;
      if (seq > 0) return { id, result: { seq, runs: [] } };
    }
    const budget = pace.rest > 0 ? 0 : undefined;
    return { id, result: pace.during(() => index.answer(name, input as never, budget)) };
  } catch (error) {
    return failureOf(id, error);
  }
}
