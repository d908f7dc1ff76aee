import { ownCommand } from "../cli/own-command.ts";
import type { TrainerOptions } from "../jobs/trainer.ts";

/**
 * A trainer that runs a program on a Slurm cluster: `createServer({ trainer: { ...slurmTrainer(…), jobs: 8 } })`.
 *
 * @param options options of sbatch, such as `["--partition=gpu", "--gres=gpu:8"]`
 * @param program the program that trains, with its arguments: a trainer like any other
 */
export function slurmTrainer(options: readonly string[], program: readonly [string, ...string[]]): TrainerOptions {
  return { command: [...ownCommand(), "slurm", ...options, "--", ...program], resume: true };
}
