/** The thread that generates. */
import { workerData } from "node:worker_threads";
import { answerQuestions, moduleAt, Thread } from "@trainyard/host/thread";
import type { ChatCompletionRequest } from "@trainyard/inference";
import { loadBase } from "../base/base-model.ts";
import { readChatRequest, type ReadRequest } from "./chat-request.ts";
import { generate, type Question } from "./generator.ts";
import { ServedModels } from "./served-models.ts";

const models = new ServedModels(workerData, loadBase);
const module = moduleAt("./request-thread", import.meta.url);
const requests = new Thread<readonly [ChatCompletionRequest, number], ReadRequest>({
  name: "schemas of chats",
  module,
});

/** A caller's schema may take as long as hundreds of tokens, for which no other answer waits. */
const read = (body: ChatCompletionRequest, now: number): ReadRequest | Promise<ReadRequest> =>
  body.response_format?.type === "json_schema" || body.tools?.length
    ? requests.ask([body, now])
    : readChatRequest(body, now);

answerQuestions((question: Question, { ending }) => generate(models, question, ending.signal, read));
