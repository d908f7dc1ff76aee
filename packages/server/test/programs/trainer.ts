// A small real trainer: reads its job, writes events. How it behaves is said in the metadata of the first group.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const job = JSON.parse(readFileSync(0, "utf8"));
const say = (type: string, data: object) => process.stdout.write(`${JSON.stringify({ type, data })}\n`);
const mode = job.trajectory_groups?.[0]?.metadata?.mode ?? "good";
const lines = job.training_data === undefined ? [] : readFileSync(job.training_data.file, "utf8").trim().split("\n");

if (mode === "before") say("gradient_step", { loss: 1 });
if (mode === "refuse") {
  say("training_failed", { error_message: "All rewards are equal." });
  process.exit(0);
}
say("training_started", { num_sequences: job.trajectory_groups?.length ?? lines.length });
if (mode === "garbage") console.log("epoch 1 of 3");
if (mode === "wrong") say("gradient_step", { loss: "low" });
for (let step = 0; step < 3; step++) say("gradient_step", { loss: 1 / (step + 1), step: job.output.step });
if (mode === "hang") {
  // Until it is told to end.
  process.on("SIGTERM", () => process.exit(143));
  setInterval(() => undefined, 1000);
} else if (mode === "crash") {
  console.error("Traceback\nOut of memory on device 0");
  process.exitCode = 3;
} else if (mode !== "silent") {
  const start =
    job.checkpoint.directory === null ? "none" : readFileSync(join(job.checkpoint.directory, "weights"), "utf8");
  writeFileSync(join(job.output.directory, "weights"), `${start}+${job.job.kind}${job.output.step}`);
  say("training_ended", { directory: job.output.directory, checkpoint: start });
  if (mode === "after") say("gradient_step", { loss: 0 });
}
