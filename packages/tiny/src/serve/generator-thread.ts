/**
 * The thread that generates. It takes requests, and answers each with what was asked for last: a whole completion, or the
 * next frames of a stream. Requests have their turns, so that a long one holds up no short one.
 */
import { parentPort, workerData } from "node:worker_threads";
import { refuse } from "@trainyard/host";
import { baseModelName } from "../base/name.ts";
import { CheckpointError } from "../checkpoint/checkpoint.ts";
import { chunksOf, completionOf } from "./answer.ts";
import { readChatRequest } from "./chat-request.ts";
import type { Question, Reply, Told } from "./generator-protocol.ts";
import { ServedModels } from "./served-models.ts";

const port = parentPort;
if (port === null) throw new Error("This module is a thread of the tiny model.");
const models = new ServedModels(workerData);
/** How long frames are gathered before they are sent, in milliseconds. */
const gathered = 4;

type Asked = Extract<Question, { kind: "ask" }>;

interface Open {
  readonly ending: AbortController;
  readonly frames?: AsyncGenerator<object>;
}

const open = new Map<number, Open>();

port.on("message", (question: Question) => void reply(question));

async function reply(question: Question): Promise<void> {
  const told = await answer(question);
  if (told !== undefined) port?.postMessage({ id: question.id, ...told } satisfies Reply);
}

async function answer(question: Question): Promise<Told | undefined> {
  const { id } = question;
  try {
    if (question.kind === "ask") return await begin(id, question);
    const asked = open.get(id);
    if (asked === undefined) return undefined;
    if (question.kind === "more" && asked.frames !== undefined) return await more(id, asked.frames);
    asked.ending.abort();
    open.delete(id);
    return undefined;
  } catch (error) {
    const isAborted = open.get(id)?.ending.signal.aborted === true;
    open.delete(id);
    if (isAborted) return undefined;
    if (error instanceof CheckpointError)
      return { refusal: refuse(500, error.message, { code: "checkpoint_damaged" }) };
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

async function begin(id: number, { request: asked, now, weights }: Asked): Promise<Told> {
  const request = readChatRequest(asked, now);
  if ("refusal" in request) return { refusal: request };
  const ending = new AbortController();
  open.set(id, { ending });
  const model = await models.find(weights);
  if (model === undefined) {
    open.delete(id);
    const cure = `It serves ${baseModelName}, and trained models by their step: artifact:///entity/project/name:step1.`;
    const faults = [{ loc: ["body", "model"], msg: "This model does not exist.", type: "value_error" as const }];
    const message = `There is no model ${request.model} here. ${cure}`;
    return { refusal: refuse(404, message, { code: "model_not_found", faults }) };
  }
  if (request.isStream) {
    open.set(id, { ending, frames: chunksOf(model, request, ending.signal) });
    return { isStream: true };
  }
  const completion = await completionOf(model, request, ending.signal);
  open.delete(id);
  return { completion };
}

/** The next frames of a stream: what comes within a few milliseconds, or its end. */
async function more(id: number, chunks: AsyncGenerator<object>): Promise<Told> {
  const until = performance.now() + gathered;
  let frames = "";
  do {
    const { done, value } = await chunks.next();
    frames += `data: ${done === true ? "[DONE]" : JSON.stringify(value)}\n\n`;
    if (done === true) {
      open.delete(id);
      return { frames, isEnd: true };
    }
  } while (performance.now() < until);
  return { frames, isEnd: false };
}
