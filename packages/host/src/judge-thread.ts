/**
 * The thread that parses and validates large bodies, so that the main thread can serve other requests.
 *
 * @module
 */
import { MessageChannel, type MessagePort, workerData } from "node:worker_threads";
import { readDocument } from "@trainyard/document";
import type { BodyLimits } from "./body.ts";
import { type Asked, type JudgedBody, judgeHere, type Readers } from "./judge.ts";
import { piecesOf } from "./pieces.ts";
import { answerQuestions, Turns } from "./thread.ts";
import { validatorOf } from "./validator.ts";

/** A body to validate. Its bytes are transferred, and returned with the answer. */
export interface BodyQuestion extends Asked {
  /** The id of its operation. */
  readonly operation: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly limits: BodyLimits;
}

/** A validated body. Its whole value is in pieces that are waiting at a port, if there is one. */
export interface BodyAnswer {
  readonly judged: JudgedBody;
  readonly pieces?: MessagePort;
}

const { root, readers: module }: { root: object; readers: string | undefined } = workerData;
const operations = new Map(readDocument(root).operations.map((operation) => [operation.id, operation]));
const { readers }: { readers?: Readers } = module === undefined ? { readers: {} } : await import(module);
if (readers === undefined) throw new Error(`${module} exports no readers.`);
const judge = judgeHere(validatorOf(root), readers);

/** Bodies that wait. Others arrive between two of them, so that owners take turns. */
const waiting = new Turns<() => void>();

function next(): void {
  waiting.shift()?.();
  if (waiting.size > 0) setImmediate(next);
}

answerQuestions(async (question: BodyQuestion, { transfer }): Promise<BodyAnswer> => {
  const { operation: id, bytes, limits, owner = "", ...asked } = question;
  await new Promise<void>((resolve) => {
    waiting.push(owner, resolve);
    if (waiting.size === 1) setImmediate(next);
  });
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`The document has no operation ${id}.`);
  const judged = judge(operation, bytes, limits, asked);
  const { body, faults } = judged;
  if (body.kind !== "json") return { judged };
  transfer.push(bytes.buffer);
  if (faults.length === 0 && operation.name in readers) return { judged };
  const withoutValue = { ...judged, body: { ...body, value: undefined } };
  if (faults.length > 0) return { judged: withoutValue };
  const { port1: near, port2: far } = new MessageChannel();
  for (const piece of piecesOf(body.value)) near.postMessage(piece);
  transfer.push(far);
  return { judged: withoutValue, pieces: far };
});
