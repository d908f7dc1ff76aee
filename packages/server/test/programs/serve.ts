// A server in its own process, which a test may kill or stop. It prints its addresses as one line of JSON.
import { createServer } from "../../src/index.ts";
import { quickTrainer } from "./quick-trainer.ts";

if (process.env["KILL_AT"] !== undefined) await import("./killed-at.ts");
const [data = "memory", ...trainer] = process.argv.slice(2);
const [program, ...args] = trainer;
const server = createServer({
  data,
  keys: [{ key: "key-of-crash", entity: "crash" }],
  trainer: {
    command: program === undefined ? quickTrainer() : [program, ...args],
    jobs: 2,
    graceMs: Number(process.env["TRAINER_GRACE_MS"] ?? 10_000),
    resume: process.env["TRAINER"] === "resume",
  },
  checkAnswers: true,
  console: true,
});
const url = await server.listen({ port: 0, ownProcess: true });
process.once("SIGTERM", () => void server.close());
console.log(JSON.stringify({ url, control: server.connect("local").apiKey }));
