import { fileURLToPath } from "node:url";
import type { TrainerOptions } from "../jobs/trainer.ts";

/**
 * A trainer that runs a program on a Slurm cluster: `createServer({ trainer: { ...slurmTrainer(…), jobs: 8 } })`.
 *
 * @param options options of sbatch, such as `["--partition=gpu", "--gres=gpu:8"]`
 * @param program the program that trains, with its arguments: a trainer as any other
 */
export function slurmTrainer(options: readonly string[], program: readonly [string, ...string[]]): TrainerOptions {
  const source = import.meta.url.endsWith(".ts");
  const cli = fileURLToPath(new URL(source ? "../cli.ts" : "../cli.js", import.meta.url));
  const flags = source ? ["--conditions=@trainyard/source"] : [];
  // SQLite, which keeps the lock, is called experimental by Node.js 24.
  const quiet = "--disable-warning=ExperimentalWarning";
  return { command: [process.execPath, quiet, ...flags, cli, "slurm", ...options, "--", ...program], resume: true };
}
