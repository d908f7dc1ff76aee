// A simple trainer for a cluster, which starts quickly: it writes a note to the folder `metadata.gates`, waits for the file
// `go`, and then does what `metadata.last` says.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { job, output, trajectory_groups } = JSON.parse(readFileSync(0, "utf8"));
const { gates, last } = trajectory_groups[0].metadata;
const say = (type: string, data: object) => console.log(JSON.stringify({ type, data }));
const note = (what: string) =>
  appendFileSync(join(gates, "notes"), `${what} ${job.id} ${process.pid} ${process.env["SLURMD_NODENAME"]}\n`);

process.on("SIGTERM", () => {
  note("asked");
  process.exit(1);
});
note("begun");
say("training_started", { num_sequences: 1 });
for (let step = 1; step <= 3; step++) say("gradient_step", { step });
while (!existsSync(join(gates, "go"))) await sleep(20);
for (let step = 4; step <= 6; step++) say("gradient_step", { step });
if (last === "fail") {
  console.error("loading\nCUDA out of memory on this node");
  process.exit(3);
}
writeFileSync(join(output.directory, "weights"), process.env["SLURM_JOB_ID"] ?? "");
say("training_ended", {});
