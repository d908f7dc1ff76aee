import { trainBySlurm } from "./train.ts";

export const help = `trainyard slurm [--resubmit 3] [options of sbatch] -- program: a trainer that runs the program on a Slurm cluster, one job at a time for each model

  trainyard serve --checkpoints /shared/checkpoints --trainer-jobs 8 --trainer-resume \\
    --trainer "trainyard slurm -p gpu --gres=gpu:8 --time=12:00:00 -- python3 -u train.py"

  The program is a trainer like any other. It runs where Slurm puts it, in the folder of the server, reads its job from standard
  input and writes events to standard output. The checkpoints folder must be at the same path on all nodes.

  A job that is preempted or loses its node is submitted again, up to as many times as --resubmit says: 3 by default, 0 for never.
  What the program saves in the folder \`resume.state\` of its job stays between submissions`;

/** Runs `trainyard slurm`. */
export async function run(args: readonly string[]): Promise<void> {
  const at = args.indexOf("--");
  const program = at < 0 ? [] : args.slice(at + 1);
  if (program.length === 0) throw new Error(`Name the program after \`--\`.\n\n${help}`);
  const { resubmit, options } = resubmitOf(args.slice(0, at));
  await trainBySlurm(options, program, resubmit);
}

/** Takes our option from those of sbatch. */
function resubmitOf(args: readonly string[]): { resubmit: number; options: string[] } {
  const at = args.findIndex((arg) => /^--resubmit(=|$)/.test(arg));
  if (at < 0) return { resubmit: 3, options: [...args] };
  const [, inline] = args[at]?.split("=") ?? [];
  const value = inline ?? args[at + 1] ?? "";
  if (!/^\d{1,6}$/.test(value)) {
    throw new Error(`--resubmit must be a number of submissions, 0 or more, not "${value}". 0 submits no job again.`);
  }
  return { resubmit: Number(value), options: args.toSpliced(at, inline === undefined ? 2 : 1) };
}
