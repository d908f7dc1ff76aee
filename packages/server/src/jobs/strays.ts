import { readdir, readFile } from "node:fs/promises";

/** How often processes are looked for: one may start another while it is ended. */
const mostRounds = 20;

/**
 * Ends the processes that have a variable in their environment, wherever they are: a process inherits it, also in a session or
 * a group of its own. Only on Linux can the environment of others be read. One that was started without it is not found.
 */
export async function endStrays(variable: string): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      pids.map(async (pid) => {
        // Those of other users cannot be read, and need not be.
        const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
        return environment.split("\0").includes(variable) ? Number(pid) : 0;
      }),
    );
    const strays = found.filter((pid) => pid > 0);
    if (strays.length === 0) return;
    for (const pid of strays) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  }
}
