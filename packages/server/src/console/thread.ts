/**
 * The thread that answers the console. It only reads the data and writes only its own file, so that logging never waits for
 * it. While it has not read everything, it continues to read between questions.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { setPriority } from "node:os";
import { setImmediate as turn } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { answerQuestions } from "@trainyard/host/thread";
import type { Database } from "../store/database.ts";
import { NodeDatabase } from "../store/node-database.ts";
import { outcomeOf } from "../store/outcome.ts";
import { ConsoleIndex, type QuestionInput, type QuestionName } from "./console-index.ts";
import { openIndex } from "./index-file.ts";
import { Pace } from "./pace.ts";

/** What the thread is started with: the store's file and its own. */
export interface ConsoleThreadData {
  readonly data: string;
  readonly index: string;
}

export interface ConsoleQuestion {
  readonly name: QuestionName;
  readonly input: unknown;
}

const files: ConsoleThreadData = workerData;
// Logging goes first if processors are scarce. On Linux the priority is that of the thread, elsewhere of the process.
if (process.platform === "linux") setPriority(19);
const data = new NodeDatabase(files.data, true);
let derived: Database | undefined;
let index: ConsoleIndex | undefined;
/** Milliseconds after a write during which more writes are expected. */
const burst = 1000;
const pace = new Pace(() => index !== undefined && index.sinceWrite < burst);
/**
 * The length of one piece of reading, in milliseconds. Questions wait for one piece. If processors are scarce, a rest follows
 * that is many times longer, and a short piece keeps the rest below half a second.
 */
const readBudget = 20;
/** The next piece of reading, while one is due. */
let next: NodeJS.Timeout | undefined;

answerQuestions(async (question: ConsoleQuestion) => {
  // Each reply is sent at once, so that a small question does not wait for the reply to a large one.
  await turn();
  try {
    return outcomeOf(() => answer(question));
  } finally {
    readOn();
  }
});

/** Reads one piece after the other, so that questions are answered between them. */
function readOn(): void {
  next ??= setTimeout(() => {
    next = undefined;
    try {
      if (!pace.during(() => opened().readOn(readBudget))) readOn();
    } catch {
      // The storage fails. The next question reports it, and reads on.
    }
  }, pace.rest);
}

/** The index. It is opened by the first question after which that succeeds: the disk may be full. */
function opened(): ConsoleIndex {
  derived ??= openIndex(files.index, () => {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${files.index}${end}`, { force: true });
  });
  return (index ??= new ConsoleIndex(data, derived));
}

function answer({ name, input }: ConsoleQuestion): unknown {
  if (pace.rest > 0 && name === "changes") {
    // A page that gets a change reads all of its data again, so changes are reported after everything else.
    const { after: seq } = input as QuestionInput<"changes">;
    if (seq > 0) return { seq, runs: [] };
  }
  // While processors are scarce, an answer does not wait for new logs: they are read in pieces.
  const budget = pace.isNeeded ? 0 : undefined;
  return pace.during(() => opened().answer(name, input as never, budget));
}
