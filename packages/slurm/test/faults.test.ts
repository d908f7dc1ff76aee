import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TrainingClient } from "@trainyard/training";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetFaults } from "@trainyard/testing";
import { slurmTrainer } from "../src/index.ts";
import { hasSlurm, isThere, startCluster, type Cluster } from "./cluster.ts";
import { newGates } from "./gates.ts";
import { ended, eventsOf, groupsOf, newModel, serve, startServer, temporaryFolder, until } from "./lib.ts";

/** Only in `pnpm exec vitest run --project cluster`: Slurm takes half a minute to notice a dead node, and longer to enforce a time limit. */
const isAsked = process.env["CLUSTER"] !== undefined && hasSlurm();

const program: [string, string] = [process.execPath, join(import.meta.dirname, "programs/cluster-trainer.ts")];

let cluster: Cluster;

const faults = new MetFaults(
  "a node is lost",
  "a job is preempted",
  "a job is submitted again",
  "somebody cancels a job",
  "the time limit is reached",
  "the controller is down",
  "a server is killed",
);

describe.skipIf(!isAsked)("training on a Slurm cluster", () => {
  beforeAll(async () => {
    cluster = await startCluster(temporaryFolder(afterAll));
  });
  afterAll(async () => {
    await cluster?.end();
    faults.tell();
  });

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
    faults.met("somebody cancels a job");
  });

  it("reports that the node died, if no job is to be submitted again", async () => {
    const { training, create, gates } = start(["--resubmit=0"]);
    const { id } = await create();
    const { node } = await until(async () => gates.notes()[0]);
    await cluster.killNode(node);
    expect(await failureOf(training, id)).toMatch(
      /^Slurm job \d+ ended NODE_FAIL \(NodeDown\S*\)\. It was submitted once\./,
    );
    faults.met("a node is lost");
    cluster.startNode(node);
    await cluster.allIdle();
  });

  /** Takes all nodes for a job that comes first, until the returned function ends it. */
  function preempt(): () => void {
    const id = cluster.ask(
      "sbatch",
      "--parsable",
      "--partition=urgent",
      "--nodes=3",
      "--output=/dev/null",
      "--wrap=sleep 3600",
    );
    return () => void cluster.ask("scancel", id);
  }

  it.each(["goes-on", "exits", "end"])(
    "completes a job that is preempted twice and then loses its node, and stores each event once, if its program %s",
    async (last) => {
      const { data, gates } = { data: temporaryFolder(), gates: newGates() };
      const trainer = `--trainer-resume --trainer "${slurmTrainer(["--resubmit", "3"], program).command.join(" ")}"`;
      let server = await serve(data, trainer);
      const { id: model } = await newModel(server.training);
      const groups = groupsOf({ gates: gates.folder, last });
      const { id } = await server.training.trainingJobs.createRl({ model_id: model, trajectory_groups: groups });
      const begun = (times: number) =>
        until(async () => gates.notes().filter(({ what }) => what === "begun")[times - 1]);
      await begun(1);
      const stopFirst = preempt();
      await until(async () => submissions(id).includes("PREEMPTED"));
      faults.met("a job is preempted");
      // Killed while Slurm preempts the job, so that the next server must find out what happened.
      await server.end("SIGKILL");
      faults.met("a server is killed");
      server = await serve(data, trainer);
      await until(async () => submissions(id).length === 2);
      stopFirst();
      await begun(2);
      const stopSecond = preempt();
      await until(async () => submissions(id).length === 3);
      stopSecond();
      const { node } = await begun(3);
      await cluster.killNode(node);
      await begun(4);
      cluster.startNode(node);
      gates.open("go");
      await completed(server.training, id);
      const events = (await eventsOf(server.training, id)).map(({ type, data: event }) => Object(event).step ?? type);
      expect(events).toEqual(["training_started", 1, 2, 3, 4, 5, 6, "training_ended"]);
      expect(submissions(id)).toHaveLength(4);
      const log = readFileSync(join(data, "checkpoints", model, "jobs", id, "attempt1/trainer.log"), "utf8");
      // The killed server's trainer may have been the one that submitted the job for the second time.
      expect(log.match(/^.*submitted again.*$/gm)?.slice(-2)).toEqual([
        expect.stringMatching(/^preempted on n\d; submitted again \(Slurm job \d+, 3 of 4\)$/),
        expect.stringMatching(/^NODE_FAIL on n\d; submitted again \(Slurm job \d+, 4 of 4\)$/),
      ]);
      faults.met("a node is lost");
      for (let again = 2; again <= submissions(id).length; again++) faults.met("a job is submitted again");
      await server.end("SIGTERM");
      await cluster.allIdle();
    },
  );

  it("fails a job that is preempted more often than it may be submitted again", async () => {
    const { training, create, gates, folder } = start(["--resubmit=1"]);
    const { id } = await create();
    for (const times of [1, 2]) {
      await until(async () => gates.notes().filter(({ what }) => what === "begun").length === times);
      const stop = preempt();
      await until(async () => submissions(id).filter((state) => state === "PREEMPTED").length === times);
      stop();
    }
    expect(await failureOf(training, id)).toMatch(/^Slurm job \d+ ended PREEMPTED\. It was submitted 2 times\./);
    faults.met("a job is preempted");
    await until(async () => readdirSync(join(folder, "under-way")).length === 0);
    await cluster.allIdle();
  });

  it.each([
    ["--resubmit=-1", '--resubmit must be a number of submissions, 0 or more, not "-1". 0 submits no job again.'],
    [
      "--keep-allocation=5m",
      '--keep-allocation must be a number of seconds, 0 or more, not "5m". 0 keeps no allocation.',
    ],
  ])("names an invalid number: %s", async (option, sentence) => {
    const { training, create } = start([option]);
    expect(await failureOf(training, (await create()).id)).toContain(sentence);
  });

  it("reports that the time limit was reached", async () => {
    const { training, create } = start(["--time=1"]);
    const { id } = await create();
    expect(await failureOf(training, id)).toMatch(/^Slurm job \d+ ended TIMEOUT \(TimeLimit\)\. /);
    faults.met("the time limit is reached");
  });

  it("follows several tasks by the events of the first", async () => {
    const { training, create, gates } = start(["--nodes=2"], ["srun", "--kill-on-bad-exit", "--output=0", ...program]);
    gates.open("go");
    const { id } = await create();
    await completed(training, id);
    expect(new Set(gates.notes().map(({ node }) => node)).size).toBe(2);
    expect(await eventsOf(training, id)).toHaveLength(8);
  });

  it.skipIf(!isThere("python3"))("trains with the command of the guide", async () => {
    const guide = readFileSync(join(import.meta.dirname, "../../docs/src/content/docs/guides/cluster.mdx"), "utf8");
    const [, command = ""] = /```sh.*\nnpx trainyard serve ([^]*?)\n```/.exec(guide) ?? [];
    // Without a command, the server would train with the built-in trainer.
    expect(command).toContain("trainyard slurm");
    const [folder, data, bin] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const args = command
      .replaceAll("\\\n", "")
      .replaceAll("/shared/checkpoints", folder)
      .replace("train.py", "packages/samples/trainers/trainer.py");
    // As an installation has it, without a build.
    const own = `${process.execPath} --conditions=@trainyard/source ${join(import.meta.dirname, "../../trainyard/src/cli.ts")}`;
    writeFileSync(join(bin, "trainyard"), `#!/bin/sh\nexec ${own} "$@"\n`, { mode: 0o755 });
    const { training, find } = await serve(data, args, { PATH: `${bin}${delimiter}${process.env["PATH"]}` });
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
    faults.met("the controller is down");
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
    const start = () =>
      serve(data, `--trainer-resume --trainer "${command.join(" ")}"`, {
        PATH: `${shim}${delimiter}${process.env["PATH"]}`,
      });
    let server = await start();
    const again = async (signal: "SIGKILL" | "SIGTERM") => {
      await server.end(signal);
      if (signal === "SIGKILL") faults.met("a server is killed");
      server = await start();
    };
    const busy = cluster.ask("sbatch", "--parsable", "--nodes=3", "--output=/dev/null", "--wrap=sleep 3600");
    const { id: model } = await newModel(server.training);
    const groups = groupsOf({ gates: gates.folder, last: "end" });
    const { id } = await server.training.trainingJobs.createRl({ model_id: model, trajectory_groups: groups });
    const log = join(data, "checkpoints", model, "jobs", id, "attempt1/trainer.log");
    const lines = () => (existsSync(log) ? readFileSync(log, "utf8").split("\n") : []);
    // The first server is killed between the submission and its note. The second one finds the job by its name.
    const [follower] = await until(async () => existsSync(submitting) && readFileSync(submitting, "utf8").split("\n"));
    await server.end("SIGKILL");
    process.kill(Number(follower), "SIGKILL");
    server = await start();
    const waits = (times: number) =>
      until(async () => lines().filter((line) => line.startsWith("queued by the cluster: ")).length >= times);
    await waits(1);
    rmSync(join(shim, "hold"));
    await again("SIGKILL");
    await waits(2);
    await again("SIGTERM");
    await waits(3);
    cluster.ask("scancel", busy);
    await until(async () => (await eventsOf(server.training, id)).length === 4);
    await again("SIGKILL");
    await again("SIGTERM");
    gates.open("go");
    await completed(server.training, id);
    const events = (await eventsOf(server.training, id)).map(({ type, data: event }) => Object(event).step ?? type);
    expect(events).toEqual(["training_started", 1, 2, 3, 4, 5, 6, "training_ended"]);
    expect(gates.notes()).toHaveLength(1);
    expect(slurmJobs(id)).toHaveLength(1);
    await server.end("SIGTERM");
  });

  it("keeps an allocation for a loop of jobs, so that the loop waits in the queue once", async () => {
    const { training, create, gates, folder, log } = start(["--keep-allocation=20", "--time=30"]);
    gates.open("go");
    const runs: { id: string; model: string; first: number }[] = [];
    /** Trains, and notes the Slurm job and the milliseconds until the first event. */
    const train = async (last?: string) => {
      const begin = Date.now();
      const { model, id } = await create(last);
      await until(async () => (await eventsOf(training, id)).length > 0);
      runs.push({ id, model, first: Date.now() - begin });
      return { model, job: await ended(training, id) };
    };
    await train();
    // From now on, others wait in the queue and take each node that becomes free.
    const others = Array.from({ length: 6 }, () =>
      cluster.ask("sbatch", "--parsable", "--output=/dev/null", "--wrap=sleep 3600"),
    );
    for (let step = 1; step < 5; step++) await train();
    expect((await train("fail")).job.error_message).toMatch(
      /^Slurm job \d+ ended \(exit code 3\)\. CUDA out of memory on this node/,
    );
    for (let step = 6; step < 10; step++) await train();
    const [first, ...later] = runs.map(({ id }) => log.filter(({ jobId }) => jobId === id).map(({ line }) => line));
    expect(first?.filter((line) => line.startsWith("submitted"))).toHaveLength(1);
    for (const lines of later) expect(lines[0]).toMatch(/^runs in the allocation that was kept \(Slurm job \d+\)$/);
    const used = runs
      .map(({ model }) => join(folder, model, "step1/weights"))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, "utf8"));
    expect(used).toHaveLength(9);
    const [kept = ""] = new Set(used);
    expect(new Set(used)).toEqual(new Set([kept]));
    const times = runs.slice(1).map((run) => run.first);
    console.log(`milliseconds from a job to its first event: ${times.toSorted((x, y) => x - y).join(", ")}`);
    // Nobody came: the allocation ends, and the next job has its own.
    for (const other of others) cluster.ask("scancel", other);
    await until(async () => cluster.ask("squeue", "--noheader", `--jobs=${kept}`, "--format=%T") === "");
    const { job } = await train();
    expect(job.status).toBe("completed");
    expect(log.find(({ jobId }) => jobId === runs.at(-1)?.id)?.line).toMatch(/^submitted to the cluster/);
    await cluster.allIdle();
  });

  it.each(["preempted", "TIMEOUT"])("submits a job again whose allocation, which was kept, is %s", async (how) => {
    const { training, create, gates, log } = start(["--keep-allocation=60"]);
    gates.open("go");
    await completed(training, (await create()).id);
    rmSync(join(gates.folder, "go"));
    const { id } = await create();
    await until(async () => gates.notes().some((note) => note.id === id));
    const lines = () => log.filter(({ jobId }) => jobId === id).map(({ line }) => line);
    const [, kept = ""] = /^runs in the allocation that was kept \(Slurm job (\d+)\)$/.exec(lines()[0] ?? "") ?? [];
    const end = how === "preempted" ? preempt() : undefined;
    if (end === undefined) cluster.ask("scontrol", "update", `jobid=${kept}`, "TimeLimit=1");
    const again = new RegExp(`^${how} on n\\d; submitted again .*, 2 of 4\\)$`);
    await until(async () => lines().some((line) => again.test(line)));
    end?.();
    gates.open("go");
    await completed(training, id);
    const steps = (await eventsOf(training, id)).map(({ type, data }) => Object(data).step ?? type);
    expect(steps).toEqual(["training_started", 1, 2, 3, 4, 5, 6, "training_ended"]);
  });
});

/** A server that trains with Slurm. */
function start(options: readonly string[] = [], command: [string, ...string[]] = program) {
  const gates = newGates();
  const { training, checkpoints: folder, log } = startServer({ ...slurmTrainer(options, command), jobs: 4 });
  const create = async (last = "end") => {
    const { id: model } = await newModel(training);
    const groups = groupsOf({ gates: gates.folder, last });
    return { model, id: (await training.trainingJobs.createRl({ model_id: model, trajectory_groups: groups })).id };
  };
  return { training, create, gates, folder, log };
}

/** The states of the Slurm jobs of a training job's first submission. */
function slurmJobs(id: string, name = `trainyard-${id}`): string[] {
  const states = cluster.ask("squeue", "--noheader", "--states=all", `--name=${name}`, "--format=%T");
  return states.split("\n").filter(Boolean);
}

/** The states of all submissions of a training job. */
function submissions(id: string): string[] {
  const names = [1, 2, 3, 4, 5].map((n) => `trainyard-${id}${n === 1 ? "" : `-${n}`}`);
  return slurmJobs(id, names.join(","));
}

function stateOf(id: string): string | undefined {
  return slurmJobs(id)[0];
}

async function failureOf(training: TrainingClient, id: string): Promise<string | null | undefined> {
  return (await ended(training, id)).error_message;
}

async function completed(training: TrainingClient, id: string): Promise<void> {
  expect(await ended(training, id)).toMatchObject({ status: "completed", error_message: null });
}
