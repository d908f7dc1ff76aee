import { createTrainingClient } from "@trainyard/training";
import { Agent, fetch } from "undici";

// At most 32 connections, and no time limits of undici: the client has its own.
const dispatcher = new Agent({
  connections: 32,
  headersTimeout: 0,
  bodyTimeout: 0,
});
const training = createTrainingClient({ fetch, fetchOptions: { dispatcher } });

const checks = Array.from({ length: 100 }, () => training.health.check());
const answers = await Promise.all(checks);
console.log(answers.length, "answers over 32 connections:", answers[0]);
await dispatcher.close();
