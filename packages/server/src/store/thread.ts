/**
 * The thread that owns a database. Requests that arrive together share one transaction, and so one flush to disk, which
 * makes many small durable writes fast.
 *
 * @module
 */
import { workerData } from "node:worker_threads";
import { answerQuestions, Turns } from "@trainyard/host/thread";
import { commands } from "./commands/index.ts";
import { noteClosed, stillMine } from "./clean-end.ts";
import type { NodeDatabase } from "./node-database.ts";
import { openData } from "./open-data.ts";
import { Reserve } from "./reserve.ts";
import { diskFull } from "./storage-fault.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import type { Question, Request, ThreadData } from "./protocol.ts";

const options: ThreadData = workerData;
let database: NodeDatabase | undefined;
/** Is called before each commit: a write to data that were removed or moved would be acknowledged, and lost. */
let checkMine = (): void => undefined;

interface Waiting {
  readonly request: Request;
  readonly resolve: (outcome: Outcome | Promise<never>) => void;
}

/** Above this number, the requests so far are answered before more are taken. */
const batchLimit = 256;
/** Milliseconds of work after which a transaction takes no more. */
const most = 50;
const writes = new Turns<Waiting>();
const reads = new Turns<Waiting>();
/** Commands that may leave large parts of the file unused. */
const freeing: ReadonlySet<string> = new Set([
  "store.reset",
  "models.delete",
  "logs.prune",
  "checkpoints.delete",
  "imports.finish",
  "imports.abort",
]);
/** Space for such commands on a full disk. */
const reserve = options.readOnly || options.file === ":memory:" ? undefined : new Reserve(options.file);
/** Confirms that the data were closed, as requested. */
let closed: ((outcome: Outcome) => void) | undefined;
/** Whether such a command has run, and the space that it freed is not released yet. */
let freed = false;
/** Whether a turn of work is due. */
let isDue = false;

const receive = answerQuestions(
  (question: Question) =>
    new Promise<Outcome>((resolve) => {
      if (question === "close") closed = resolve;
      else {
        (question.reads ? reads : writes).push(question.entity, { request: question, resolve });
        freed ||= freeing.has(question.name);
      }
      if (!isDue) queueMicrotask(work);
      isDue = true;
    }),
);

function work(): void {
  receive();
  write();
  // A read may take long, so a write waits for at most one of them.
  const read = reads.shift();
  if (read !== undefined) answer(read);
  else if (writes.size === 0 && closed !== undefined) close();
  else if (writes.size === 0 && freed) giveBack();
  // The microtask between these two sends the replies.
  if (writes.size > 0 || reads.size > 0) queueMicrotask(() => queueMicrotask(work));
  else if (closed !== undefined || freed) setImmediate(work);
  else isDue = false;
}

/** @throws Error that names the file and the fix if it cannot be served */
function opened(): NodeDatabase {
  if (database !== undefined) return database;
  database = openData(options);
  if (!options.readOnly && options.file !== ":memory:")
    checkMine = stillMine("data", options.file, `${options.file}-wal`);
  reserve?.take();
  return database;
}

function close(): void {
  if (database !== undefined) {
    const isMine = "result" in outcomeOf(checkMine);
    database.close();
    if (isMine && !options.readOnly && options.file !== ":memory:") noteClosed(options.file);
  }
  [database, freed] = [undefined, false];
  closed?.({ result: undefined });
  closed = undefined;
}

/** Releases unused space to the disk, a piece at a time: a request meanwhile waits for at most one piece. */
function giveBack(): void {
  try {
    freed = opened().giveBack(reserve?.isTight ?? false);
    if (!freed) reserve?.take();
  } catch {
    // The storage fails. The next write reports it.
    freed = false;
  }
}

function write(): void {
  const first = writes.shift();
  if (first === undefined) return;
  const batch = [first];
  if (writes.size > 0) {
    try {
      const results = commit(() => {
        const end = performance.now() + most;
        const all = [perform(first.request)];
        while (batch.length < batchLimit && performance.now() < end) {
          const next = writes.shift();
          if (next === undefined) break;
          batch.push(next);
          all.push(perform(next.request));
        }
        return all;
      });
      for (const [index, { resolve }] of batch.entries()) resolve({ result: results[index] });
      return spare();
    } catch {
      // The transaction was rolled back. Run each request in a transaction of its own, so that the valid ones succeed.
    }
  }
  for (const one of batch) answer(one);
  spare();
}

/** Keeps the write-ahead log so short on a disk that fills up that it can still be emptied. */
function spare(): void {
  try {
    if (reserve?.isTight) database?.checkpoint();
  } catch {
    // It is full already.
  }
}

function answer({ request, resolve }: Waiting): void {
  try {
    const attempt = () => outcomeOf(() => commit(() => perform(request)));
    let outcome = attempt();
    if ("storage" in outcome && freeing.has(request.name) && reserve?.give()) outcome = attempt();
    if (request.name === "store.check" && "result" in outcome) {
      // It was given up, and there may be space again.
      reserve?.take();
      if (reserve?.isShort) outcome = { storage: diskFull };
    }
    resolve(outcome);
  } catch (error) {
    resolve(Promise.reject(error));
  }
}

function commit<T>(work: () => T): T {
  return opened().transaction(() => {
    const result = work();
    checkMine();
    return result;
  });
}

function perform({ name, input, now }: Request): unknown {
  return commands[name]({ database: opened(), now }, input as never);
}
