/** The thread that generates. */
import { workerData } from "node:worker_threads";
import { answerQuestions } from "@trainyard/host/thread";
import { loadBase } from "../base/base-model.ts";
import { generate, type Question } from "./generator.ts";
import { ServedModels } from "./served-models.ts";

const models = new ServedModels(workerData, loadBase);
answerQuestions((question: Question, { ending }) => generate(models, question, ending.signal));
