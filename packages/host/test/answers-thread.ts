/** For tests: a thread that answers, streams and crashes as it is asked to. */
import { setImmediate as turn } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { answerQuestions } from "../src/thread.ts";

const seen = { read: 0, ended: 0 };

async function* countTo(end: number): AsyncGenerator<number> {
  while (seen.read < end) {
    yield ++seen.read;
    await turn();
  }
}

const answers: Readonly<Record<string, (signal: AbortSignal) => unknown>> = {
  data: () => workerData,
  seen: () => seen,
  function: () => () => undefined,
  refuse: () => {
    throw new RangeError("This is refused.");
  },
  never: () => new Promise(() => undefined),
  count: (signal) => {
    signal.addEventListener("abort", () => seen.ended++);
    return countTo(Number.POSITIVE_INFINITY);
  },
  few: () => countTo(seen.read + 3),
  exit: () => process.exit(3),
  hang: () => {
    for (;;);
  },
  throw: () => {
    setImmediate(() => {
      throw new Error("Nobody catches this.");
    });
    return new Promise(() => undefined);
  },
};

answerQuestions((question: string | Uint8Array<ArrayBuffer>, { ending, transfer }) => {
  if (typeof question === "string") return answers[question]?.(ending.signal);
  transfer.push(question.buffer);
  return question;
});
