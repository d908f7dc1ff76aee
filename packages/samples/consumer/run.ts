import { answer, cost } from "./src/answer.ts";
import { report } from "./src/report.ts";
import { train } from "./src/train.ts";

const question = "Does the 9:40 to Bergen carry bicycles?";
const attempts = [
  { question, answer: "Yes, up to six.", score: 1 },
  { question, answer: "No.", score: 0 },
];
console.log(await train("agent-1", attempts));
const messages = await answer(question, () => undefined);
console.log(messages.length, "messages,", await cost(question), "tokens");
console.log(await report("2026-11-03T00:00:00Z", "2026-11-04T00:00:00Z"));
