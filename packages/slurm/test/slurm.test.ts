/** @module-tag long */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { slurmTrainer } from "../src/index.ts";
import { hasSlurm, startCluster } from "./cluster.ts";
import { newGates } from "./gates.ts";
import { ended, eventsOf, groupsOf, newModel, startServer, temporaryFolder, until } from "./lib.ts";

const program = join(import.meta.dirname, "programs/cluster-trainer.ts");

// `pnpm exec vitest run --project cluster` also tests the faults of a cluster.
it.skipIf(!hasSlurm())(
  "trains on a Slurm cluster: several jobs at once, one deleted while it waits, one that fails",
  async () => {
    const cluster = await startCluster(temporaryFolder());
    onTestFinished(() => cluster.end());
    const gates = newGates();
    const { training, trainerLog, checkpoints, log } = startServer({
      ...slurmTrainer(["--ntasks=1"], [process.execPath, program]),
      jobs: 4,
    });
    const create = async (last: string) => {
      const model = await newModel(training);
      const groups = groupsOf({ gates: gates.folder, last });
      return {
        model,
        id: (await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups })).id,
      };
    };
    const jobs = [await create("end"), await create("end"), await create("fail")] as const;
    await until(async () => gates.notes().length === 3);
    expect(new Set(gates.notes().map(({ node }) => node))).toEqual(new Set(["n1", "n2", "n3"]));
    // All three nodes are busy.
    const waiting = await create("end");
    await until(async () =>
      log.some(
        ({ jobId, line }) => jobId === waiting.id && /^queued by the cluster: Resources \(Slurm job \d+\)$/.test(line),
      ),
    );
    await training.models.delete(waiting.model.id);
    await until(async () => cluster.ask("squeue", "--noheader", "--states=PENDING") === "");
    gates.open("go");
    for (const { id, model } of jobs.slice(0, 2)) {
      expect(await ended(training, id)).toMatchObject({ status: "completed", error_message: null });
      const steps = (await eventsOf(training, id)).map(({ type, data }) => Object(data).step ?? type);
      expect(steps).toEqual(["training_started", 1, 2, 3, 4, 5, 6, "training_ended"]);
      expect(existsSync(join(checkpoints, model.id, "step1/weights"))).toBe(true);
    }
    const failed = jobs[2];
    expect((await ended(training, failed.id)).error_message).toMatch(
      /^Slurm job \d+ ended FAILED \(NonZeroExitCode, exit code 3\)\. CUDA out of memory on this node \(log: .*trainer\.log\)$/,
    );
    const lines = await trainerLog(failed.model.id, failed.id);
    expect(lines[0]).toMatch(/^submitted to the cluster \(Slurm job \d+\)$/);
    expect(lines.filter((line) => /^running on n\d \(Slurm job \d+\)$/.test(line))).toHaveLength(1);
    // A state that ends soon, such as COMPLETING, is seen or missed.
    const own = lines.filter((line) => !/ \(Slurm job \d+\)$/.test(line));
    expect(own).toEqual(["loading", "CUDA out of memory on this node"]);
    await until(async () => readdirSync(join(checkpoints, "under-way")).length === 0);
    expect(gates.notes().map(({ id }) => id)).not.toContain(waiting.id);
  },
);
