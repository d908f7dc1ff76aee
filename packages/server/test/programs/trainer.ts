// A small real trainer, with the types of the protocol: it reads its job, writes events, and derives weights from the
// earlier ones. `metadata.mode` of the first group changes its behavior. With `metadata.log`, it notes in that file each run,
// and the closing of its output.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TrainerEvent, TrainerJob } from "@trainyard/server";

const job: TrainerJob = JSON.parse(readFileSync(0, "utf8"));
const say = (event: TrainerEvent) => process.stdout.write(`${JSON.stringify(event)}\n`);
const groups = "trajectory_groups" in job ? job.trajectory_groups : undefined;
const examples = "training_data" in job ? readFileSync(job.training_data.file, "utf8").trim().split("\n") : [];
const { mode = "good", log } = groups?.[0]?.metadata ?? {};

const note = (what: string | number) => {
  if (typeof log === "string") appendFileSync(log, `${process.pid} ${what}\n`);
};

note(job.job.attempt);
say({ type: "training_started", data: { num_sequences: groups?.length ?? examples.length } });
for (let step = 0; step < 3; step++) say({ type: "gradient_step", data: { loss: 1 / (step + 1) } });
// The first two attempts never end a line.
const isTorn = mode === "torn" && job.job.attempt < 3;
if (isTorn) process.stdout.write('{"type":"gradient_step","data":{"loss":7', () => note("half"));
if (mode === "deaf") process.on("SIGTERM", () => note("asked"));
if (mode === "work" || mode === "deaf" || isTorn) {
  // Exit, because nothing reads the output any more.
  process.stdout.on("error", () => {
    note("gone");
    process.exit(1);
  });
  for (;;) {
    await sleep(20);
    if (isTorn) process.stdout.write("7");
    else say({ type: "gradient_step", data: { loss: 0 } });
  }
}
const { directory } = job.checkpoint;
const start = directory === null ? "none" : readFileSync(join(directory, "weights"), "utf8");
writeFileSync(join(job.output.directory, "weights"), `${start}+${job.job.kind}${job.output.step}`);
writeFileSync(join(job.output.directory, "job.json"), JSON.stringify(job));
say({ type: "training_ended", data: { checkpoint: start, from: directory, to: job.output.directory } });
