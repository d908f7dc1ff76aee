/**
 * The thread that parses and validates large bodies, so that the main thread can serve other requests.
 *
 * @module
 */
import { MessageChannel, parentPort, workerData } from "node:worker_threads";
import { isObject } from "@trainyard/core/validation";
import { readDocument } from "@trainyard/document";
import { judgeHere, type Readers } from "../judge.ts";
import { validatorOf } from "../validator.ts";
import { piecesOf } from "./pieces.ts";
import type { Question, Reply, ThreadData, Verdict } from "./protocol.ts";

const { root, readers: module }: ThreadData = workerData;
if (parentPort === null) throw new Error("This module must run in a worker thread.");
const port = parentPort;
const operations = new Map(readDocument(root).operations.map((operation) => [operation.id, operation]));
const readers = module === undefined ? {} : readersOf(await import(module));
const judge = judgeHere(validatorOf(root), readers);

port.on("message", (question: Question) => {
  const { id, bytes } = question;
  try {
    const verdict = answer(question);
    const reply: Reply = { id, bytes, verdict };
    port.postMessage(reply, verdict.kind === "whole" ? [bytes.buffer, verdict.pieces] : [bytes.buffer]);
  } catch (error) {
    const reply: Reply = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    port.postMessage(reply);
  }
});

function answer({ operation: id, bytes, limits, digest: wanted }: Question): Verdict {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`The document has no operation ${id}.`);
  const { body, faults, digest } = judge(operation, bytes, limits, { digest: wanted });
  if (body.kind === "none") return { kind: "none" };
  if (body.kind !== "json") return { kind: body.kind, reason: body.reason };
  if (faults.length > 0) return { kind: "invalid", faults };
  if (operation.name in readers) return { kind: "read", value: body.value, digest };
  const { port1: near, port2: far } = new MessageChannel();
  for (const piece of piecesOf(body.value)) near.postMessage(piece);
  return { kind: "whole", pieces: far, digest };
}

function readersOf(exports: unknown): Readers {
  const found = isObject(exports) ? exports["readers"] : undefined;
  if (!isObject(found)) throw new Error(`${module} exports no readers.`);
  return Object.fromEntries(
    Object.entries(found).map(([name, reader]) => {
      if (typeof reader !== "function") throw new Error(`The reader of ${name} is not a function.`);
      return [name, (body) => Reflect.apply(reader, undefined, [body])];
    }),
  );
}
