import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTrainingClient, type TrainingClient } from "@trainyard/training";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ownCommand } from "../../src/cli/own-command.ts";
import { isThere } from "../../src/jobs/program.ts";
import { slurmTrainer, type TrainerLogLine } from "../../src/index.ts";
import { temporaryFolder } from "../folders.ts";
import { makeServer } from "../lib.ts";
import { startProcess, type OwnProcess } from "../own-process.ts";
import { eventsOf, groupsOf, newModel } from "../trainers.ts";
import { hasSlurm, startCluster, type Cluster } from "./cluster.ts";
import { newGates } from "./gates.ts";

/** Only in `pnpm test cluster`: Slurm takes half a minute to notice a dead node, and longer to enforce a time limit. */
const isAsked = process.env["CLUSTER"] !== undefined && hasSlurm();

const program: [string, string] = [process.execPath, join(import.meta.dirname, "../programs/cluster-trainer.mjs")];

let cluster: Cluster;

describe.skipIf(!isAsked)("training on a Slurm cluster", () => {
  beforeAll(async () => {
    cluster = await startCluster(temporaryFolder(afterAll));
  });
  afterAll(() => cluster?.end());

  it("ends a running job of a deleted model by asking its program to exit", async () => {
    const { training, create, gates, folder } = start();
    const { model, id } = await create();
    await until(async () => gates.notes().length === 1);
    await training.models.delete(model);
    await until(async () => gates.notes().some(({ what }) => what === "asked"));
    await until(async () => stateOf(id) === "CANCELLED");
    await until(async () => readdirSync(join(folder, "under-way")).length === 0);
  });

  it("reports that somebody else canceled the job", async () => {
    const { training, create, gates } = start();
    const { id } = await create();
    await until(async () => gates.notes().length === 1);
    cluster.ask("scancel", `--name=trainyard-${id}`);
    expect(await failureOf(training, id)).toMatch(/^Slurm job \d+ ended CANCELLED\. \(log: /);
  });

  it("reports that the node died", async () => {
    const { training, create, gates } = start();
    const { id } = await create();
    const { node } = await until(async () => gates.notes()[0]);
    await cluster.killNode(node);
    expect(await failureOf(training, id)).toMatch(/^Slurm job \d+ ended NODE_FAIL \(NodeDown\S*\)\. /);
    cluster.startNode(node);
    await until(async () => cluster.ask("sinfo", "--noheader", "--Node", "--format=%T") === "idle\nidle\nidle");
  });

  it("reports that the time limit was reached", async () => {
    const { training, create } = start(["--time=1"]);
    const { id } = await create();
    expect(await failureOf(training, id)).toMatch(/^Slurm job \d+ ended TIMEOUT \(TimeLimit\)\. /);
  });

  it("follows several tasks by the events of the first", async () => {
    const { training, create, gates } = start(["--nodes=2"], ["srun", "--kill-on-bad-exit", "--output=0", ...program]);
    gates.open("go");
    const { id } = await create();
    await completed(training, id);
    expect(new Set(gates.notes().map(({ node }) => node)).size).toBe(2);
    expect(await eventsOf(training, id)).toHaveLength(8);
  });

  it.skipIf(!isThere({ command: ["python3"] }))("trains with the command of the guide", async () => {
    const root = join(import.meta.dirname, "../../../..");
    const guide = readFileSync(join(root, "packages/docs/src/content/docs/guides/cluster.mdx"), "utf8");
    const [, command = ""] = /```sh\nnpx -y pnpm@12 trainyard ([^]*?)\n```/.exec(guide) ?? [];
    const [folder, data] = [temporaryFolder(), temporaryFolder()];
    const args = command.replaceAll("\\\n", "").replaceAll("/shared/checkpoints", folder);
    const child = spawn("sh", ["-c", `exec "$@" ${args} --port 0 --data ${data}`, "sh", ...ownCommand()], {
      cwd: root,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (printed += text));
    const find = (pattern: RegExp) => until(async () => pattern.exec(printed)?.[1]);
    const training = createTrainingClient({
      baseUrl: await find(/^training +(\S+)$/m),
      apiKey: await find(/^key +(\S+)/m),
    });
    const { id: model } = await newModel(training);
    const groups = [{ trajectories: [{ reward: 1 }, { reward: 0 }] }];
    const { id } = await training.trainingJobs.createRl({ model_id: model, trajectory_groups: groups });
    await completed(training, id);
    expect(readdirSync(join(folder, model, "step1"))).toEqual(["weights.json"]);
    expect(await find(/submitted to the cluster \(Slurm job (\d+)\)/)).toBeDefined();
  });

  it("reports why Slurm rejects a job", async () => {
    const { training, create } = start(["--partition=none"]);
    const { id } = await create();
    expect(await failureOf(training, id)).toMatch(/^sbatch: error: .*[Ii]nvalid partition/);
  });

  it("fails a job whose events or log have a line without end, and ends its program", async () => {
    const endless = (file: string) => ["/bin/sh", "-c", `head -c 33554432 /dev/zero | tr '\\0' x ${file}; sleep 1000`];
    const events = start([], endless("") as [string]);
    const { id } = await events.create();
    const message = await failureOf(events.training, id);
    expect(message).toMatch(/^Line 1 of the trainer's output is longer than 1 MiB: "x{80}…"\. /);
    await until(async () => stateOf(id) === "CANCELLED");
    await until(async () => readdirSync(join(events.folder, "under-way")).length === 0);
    const { training, create, gates, log } = start(
      [],
      ["/bin/sh", "-c", `${endless(">&2")[2]?.replace("sleep 1000", "echo >&2")}; exec "$0" "$1"`, ...program],
    );
    gates.open("go");
    await completed(training, (await create()).id);
    expect(log.filter(({ line }) => line.startsWith("xx")).map(({ line }) => line.length)).toEqual([2 ** 16 + 23]);
  });

  it("waits for a controller that is down for six seconds, and submits nothing twice", async () => {
    const { training, create, gates, log } = start();
    const [running, failing] = [await create(), await create("fail")];
    await until(async () => gates.notes().length === 2);
    await cluster.stopController();
    const away = Date.now() + 6000;
    const late = await create();
    await until(async () =>
      log.some(({ jobId, line }) => jobId === late.id && line.startsWith("the cluster does not respond; retrying: ")),
    );
    gates.open("go");
    // The events of a program do not depend on Slurm.
    await completed(training, running.id);
    await sleep(Math.max(0, away - Date.now()));
    cluster.startController();
    expect(await failureOf(training, failing.id)).toMatch(/ended FAILED \(NonZeroExitCode, exit code 3\)\. CUDA/);
    await completed(training, late.id);
    for (const { id } of [running, failing, late]) expect(slurmJobs(id)).toHaveLength(1);
  });

  it("runs a job once, although its server is killed and stopped while the job is submitted, queued and running", async () => {
    const [data, gates] = [temporaryFolder(), newGates()];
    // Prints the id of the submitted job only when it may.
    const shim = temporaryFolder();
    const sbatch = join(shim, "sbatch");
    const real = cluster.ask("which", "sbatch");
    const submitting = join(shim, "submitting");
    writeFileSync(
      sbatch,
      `#!/bin/sh\nid=$(${real} "$@") || exit\necho $PPID >> ${submitting}\nwhile [ -e ${shim}/hold ]; do sleep 0.05; done\necho "$id"\n`,
    );
    chmodSync(sbatch, 0o755);
    writeFileSync(join(shim, "hold"), "");
    const { command } = slurmTrainer([], program);
    const env = { TRAINER: "resume", PATH: `${shim}${delimiter}${process.env["PATH"]}` };
    let server: OwnProcess = await startProcess(data, command, env);
    onTestFinished(() => server.kill());
    const again = async (end: "kill" | "stop") => {
      await server[end]();
      server = await startProcess(data, command, env);
    };
    const busy = cluster.ask("sbatch", "--parsable", "--nodes=3", "--output=/dev/null", "--wrap=sleep 3600");
    const { id: model } = await newModel(server.training);
    const groups = groupsOf({ gates: gates.folder, last: "end" });
    const { id } = await server.training.trainingJobs.createRl({ model_id: model, trajectory_groups: groups });
    const log = join(data, "checkpoints", model, "jobs", id, "attempt1/trainer.log");
    const lines = () => (existsSync(log) ? readFileSync(log, "utf8").split("\n") : []);
    // The first server is killed between the submission and its note. The second one finds the job by its name.
    const [follower] = await until(async () => existsSync(submitting) && readFileSync(submitting, "utf8").split("\n"));
    await server.kill();
    process.kill(Number(follower), "SIGKILL");
    server = await startProcess(data, command, env);
    const waits = (times: number) =>
      until(async () => lines().filter((line) => line.startsWith("queued by the cluster: ")).length >= times);
    await waits(1);
    rmSync(join(shim, "hold"));
    await again("kill");
    await waits(2);
    await again("stop");
    await waits(3);
    cluster.ask("scancel", busy);
    await until(async () => (await eventsOf(server.training, id)).length === 4);
    await again("kill");
    await again("stop");
    gates.open("go");
    await completed(server.training, id);
    const events = (await eventsOf(server.training, id)).map(({ type, data: event }) => Object(event).step ?? type);
    expect(events).toEqual(["training_started", 1, 2, 3, 4, 5, 6, "training_ended"]);
    expect(gates.notes()).toHaveLength(1);
    expect(slurmJobs(id)).toHaveLength(1);
    await server.stop();
  });
});

/** A server that trains with Slurm. */
function start(options: readonly string[] = [], command: [string, ...string[]] = program) {
  const [folder, gates, log] = [temporaryFolder(), newGates(), [] as TrainerLogLine[]];
  const trainer = { ...slurmTrainer(options, command), jobs: 4 };
  const server = makeServer({
    data: temporaryFolder(),
    trainer,
    checkpoints: folder,
    trainerLog: (line) => log.push(line),
  });
  onTestFinished(() => server.end());
  const { training } = server.clients();
  const create = async (last = "end") => {
    const { id: model } = await newModel(training);
    const groups = groupsOf({ gates: gates.folder, last });
    return { model, id: (await training.trainingJobs.createRl({ model_id: model, trajectory_groups: groups })).id };
  };
  return { training, create, gates, folder, log };
}

/** The Slurm jobs of a training job. */
function slurmJobs(id: string): string[] {
  const states = cluster.ask("squeue", "--noheader", "--states=all", `--name=trainyard-${id}`, "--format=%T");
  return states.split("\n").filter(Boolean);
}

function stateOf(id: string): string | undefined {
  return slurmJobs(id)[0];
}

async function failureOf(training: TrainingClient, id: string): Promise<string | null | undefined> {
  return (await endOf(training, id)).error_message;
}

async function completed(training: TrainingClient, id: string): Promise<void> {
  expect(await endOf(training, id)).toMatchObject({ status: "completed", error_message: null });
}

const endOf = (training: TrainingClient, id: string) =>
  until(async () => {
    const job = await training.trainingJobs.get(id);
    return (job.status === "completed" || job.status === "failed") && job;
  });

/** Waits until a condition holds, for as long as Slurm may take. */
async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 180_000; Date.now() < end; await sleep(50)) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error("It did not come to hold within three minutes.");
}
