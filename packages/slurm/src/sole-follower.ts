import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Makes this process the only one on this machine that follows a job. A process that a killed server left behind could
 * submit the job a second time, so it is asked to exit, and waited for.
 *
 * @param leave is called when another process asks this one to exit
 * @returns what holds the job until it is closed, or until this process ends
 */
export async function becomeSoleFollower(jobId: string, leave: () => void): Promise<Server> {
  // On this machine, because locks of network file systems are unreliable.
  const path = join(tmpdir(), `trainyard-slurm-${jobId}.socket`);
  for (;;) {
    const holder = createServer((asking) => {
      asking.destroy();
      leave();
    });
    try {
      await once(holder.listen(path), "listening");
      return holder;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    }
    const asking = connect(path);
    const isHeld = await once(asking, "connect").then(
      () => true,
      () => false,
    );
    asking.destroy();
    // A process that was killed left its file.
    if (isHeld) await sleep(100);
    else rmSync(path, { force: true });
  }
}
