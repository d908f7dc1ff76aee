/** The thread that generates. */
import { parentPort, workerData } from "node:worker_threads";
import { loadBase } from "../base/base-model.ts";
import { Generator } from "./generator.ts";
import type { Question, Reply } from "./generator-protocol.ts";
import { ServedModels } from "./served-models.ts";

const port = parentPort;
if (port === null) throw new Error("This module is a thread of the tiny model.");
const generator = new Generator(new ServedModels(workerData, loadBase));

port.on("message", (question: Question) => void reply(question));

async function reply(question: Question): Promise<void> {
  const answer = await generator.answer(question);
  if (answer !== undefined) port?.postMessage({ id: question.id, ...answer } satisfies Reply);
}
