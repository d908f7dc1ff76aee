import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Owner, readOwnerNote } from "../store/owner.ts";

/**
 * Makes this process the only one on this machine that follows a job. A process that a killed server left behind could
 * submit the job a second time, so it is asked to exit, and waited for.
 *
 * @returns releases the lock; with `true`, also deletes its folder
 */
export async function becomeSoleFollower(jobId: string): Promise<(forGood?: boolean) => void> {
  // On this machine, because locks of network file systems are unreliable.
  const folder = join(tmpdir(), `trainyard-slurm-${jobId}`);
  for (let withoutPid = 0; ;) {
    try {
      const owner = new Owner(folder, "follower lock");
      return (forGood = false) => {
        owner.release();
        if (forGood) rmSync(folder, { recursive: true, force: true });
      };
    } catch (error) {
      const pid = readOwnerNote(folder)?.pid;
      // A process that has just taken the lock has not written its id yet.
      if (pid === undefined && ++withoutPid > 50) throw error;
      try {
        if (pid !== undefined) process.kill(pid, "SIGHUP");
      } catch {
        // It has already exited.
      }
      await sleep(100);
    }
  }
}
