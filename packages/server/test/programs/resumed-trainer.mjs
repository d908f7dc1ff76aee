// A trainer with `resume`: it starts its work as another process, which continues without it, and follows that. The work
// waits for files that the test creates in the job's folder `metadata.gates`, and writes notes there.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [, self, gatesOfWork, directoryOfWork] = process.argv;
if (directoryOfWork !== undefined) await work(gatesOfWork, directoryOfWork);
else {
  const document = JSON.parse(readFileSync(0, "utf8"));
  if (document.cancel !== undefined) cancel(document.cancel);
  else await follow(document);
}

async function follow({ job, trajectory_groups, experimental_config, resume: { directory, events }, ...rest }) {
  const gates = experimental_config?.gates ?? trajectory_groups[0].metadata.gates;
  appendFileSync(join(gates, "follows"), `${job.attempt} ${events}\n`);
  const file = join(directory, "job.json");
  if (!existsSync(file)) put(file, JSON.stringify({ gates, ...rest }));
  if (!existsSync(join(directory, "note"))) {
    spawn(process.execPath, [self, gates, directory], { detached: true, stdio: "ignore" }).unref();
    appendFileSync(join(gates, "started"), "1\n");
    await exists(join(gates, "noted"));
    put(join(directory, "note"), "1");
  }
  for (let printed = events; ;) {
    const ended = existsSync(join(directory, "ended"));
    const lines = linesOf(join(directory, "events.jsonl"));
    for (; printed < lines.length; printed++) process.stdout.write(`${lines[printed]}\n`);
    if (ended) return;
    await sleep(20);
  }
}

function cancel({ directory }) {
  const gates = JSON.parse(readFileSync(join(directory, "job.json"), "utf8")).gates;
  if (!existsSync(join(gates, "cancels"))) throw new Error("The queue does not answer.");
  for (const pid of linesOf(join(gates, "works"))) process.kill(Number(pid), "SIGKILL");
}

/** The work itself, which runs once, however often the trainer starts. */
async function work(gates, directory) {
  try {
    mkdirSync(join(directory, "claimed"));
  } catch {
    return;
  }
  appendFileSync(join(gates, "works"), `${process.pid}\n`);
  const say = (type, data) => appendFileSync(join(directory, "events.jsonl"), `${JSON.stringify({ type, data })}\n`);
  await exists(join(gates, "begins"));
  const { output } = JSON.parse(readFileSync(join(directory, "job.json"), "utf8"));
  say("training_started", { num_sequences: 1 });
  for (let step = 1; step <= 3; step++) say("gradient_step", { step });
  await exists(join(gates, "ends"));
  for (let step = 4; step <= 6; step++) say("gradient_step", { step });
  writeFileSync(join(output.directory, "weights"), "6");
  say("training_ended", {});
  put(join(directory, "ended"), "1");
}

function put(file, text) {
  // The trainer of a killed server runs on beside the next one, and writes the same files.
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, text);
  renameSync(part, file);
}

function linesOf(file) {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

async function exists(file) {
  while (!existsSync(file)) await sleep(20);
}
