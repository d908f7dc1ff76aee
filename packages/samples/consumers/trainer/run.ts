import { train } from "./src/train.ts";

const attempt = (answer: string, score: number) => ({
  question: "Does the 9:40 to Bergen carry bicycles?",
  answer,
  score,
});

console.log(
  await train("agent-1", [[attempt("Yes, up to six.", 1), attempt("No.", 0)]]),
);
