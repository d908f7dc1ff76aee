/**
 * A trainer of the local server that runs a program on a Slurm cluster.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { moduleAt } from "@trainyard/host/thread";

/**
 * The trainer as an option of a server: `createServer({ trainer: { ...slurmTrainer(…), jobs: 8 } })`.
 *
 * @param options options of sbatch, such as `["--partition=gpu", "--gres=gpu:8"]`
 * @param program the program that trains, with its arguments: a trainer like any other
 */
export function slurmTrainer(
  options: readonly string[],
  program: readonly [string, ...string[]],
): { readonly command: [string, ...string[]]; readonly resume: true } {
  const cli = fileURLToPath(moduleAt("./cli", import.meta.url));
  const flags = cli.endsWith(".ts") ? ["--conditions=@trainyard/source"] : [];
  return { command: [process.execPath, ...flags, cli, ...options, "--", ...program], resume: true };
}
