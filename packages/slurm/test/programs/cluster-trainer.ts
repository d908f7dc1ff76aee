// A simple trainer for a cluster, which starts quickly: it writes a note to the folder `metadata.gates`, waits for the file
// `go`, and then does what `metadata.last` says. If that is `goes-on` or `exits`, it saves its steps, makes one more in each
// submission before it waits, and writes no event twice; `exits` also exits with 0 if it is asked to end.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { job, output, resume, trajectory_groups } = JSON.parse(readFileSync(0, "utf8"));
const { gates, last } = trajectory_groups[0].metadata;
const say = (type: string, data: object) => console.log(JSON.stringify({ type, data }));
const note = (what: string) =>
  appendFileSync(join(gates, "notes"), `${what} ${job.id} ${process.pid} ${process.env["SLURMD_NODENAME"]}\n`);

const saved = join(resume.state, "step");
const goesOn = last === "goes-on" || last === "exits";

process.on("SIGTERM", () => {
  note("asked");
  process.exit(last === "exits" ? 0 : 1);
});
say("training_started", { num_sequences: 1 });
const before = goesOn && existsSync(saved) ? Number(readFileSync(saved, "utf8")) : 0;
const waits = goesOn ? 1 + resume.submission : 3;
for (let step = before + 1; step <= 6; step++) {
  if (step === waits + 1) {
    note("begun");
    while (!existsSync(join(gates, "go"))) await sleep(20);
  }
  if (goesOn) {
    writeFileSync(`${saved}.new`, String(step));
    renameSync(`${saved}.new`, saved);
  }
  say("gradient_step", { step });
}
if (last === "fail") {
  console.error("loading\nCUDA out of memory on this node");
  process.exit(3);
}
writeFileSync(join(output.directory, "weights"), process.env["SLURM_JOB_ID"] ?? "");
say("training_ended", {});
