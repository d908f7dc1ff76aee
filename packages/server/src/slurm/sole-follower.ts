import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Owner, readOwnerNote } from "../store/owner.ts";

/**
 * Makes this process the only one of this machine that follows a job. One that a killed server left behind could submit the
 * job a second time: it is asked to go, and waited for.
 *
 * @returns gives the place free; with `true`, for good
 */
export async function becomeSoleFollower(jobId: string): Promise<(forGood?: boolean) => void> {
  // On this machine: locks of network file systems do not always hold.
  const folder = join(tmpdir(), `trainyard-slurm-${jobId}`);
  for (let unnamed = 0; ;) {
    try {
      const owner = new Owner(folder, "place of who follows the job");
      return (forGood = false) => {
        owner.release();
        if (forGood) rmSync(folder, { recursive: true, force: true });
      };
    } catch (error) {
      const pid = readOwnerNote(folder)?.pid;
      // Who has just taken the place has not said yet who it is.
      if (pid === undefined && ++unnamed > 50) throw error;
      try {
        if (pid !== undefined) process.kill(pid, "SIGHUP");
      } catch {
        // It has gone on its own.
      }
      await sleep(100);
    }
  }
}
