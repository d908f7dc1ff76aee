import { trainBySlurm } from "./train.ts";

export const help = `trainyard slurm [options of sbatch] -- program: a trainer that runs the program on a Slurm cluster, one job at a time for each model

  trainyard serve --checkpoints /shared/checkpoints --trainer-jobs 8 --trainer-resume \\
    --trainer "trainyard slurm -p gpu --gres=gpu:8 --time=12:00:00 -- python3 -u train.py"

  The program is a trainer like any other. It runs where Slurm puts it, in the folder of the server, reads its job from standard
  input and writes events to standard output. The checkpoints folder must be at the same path on all nodes`;

/** Runs `trainyard slurm`. */
export async function run(args: readonly string[]): Promise<void> {
  const at = args.indexOf("--");
  const program = at < 0 ? [] : args.slice(at + 1);
  if (program.length === 0) throw new Error(`Name the program after \`--\`.\n\n${help}`);
  await trainBySlurm(args.slice(0, at), program);
}
