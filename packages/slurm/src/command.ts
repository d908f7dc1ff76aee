import { UsageError } from "@trainyard/terminal/command";
import { trainBySlurm } from "./train.ts";

export const help = `trainyard slurm [--resubmit 3] [--keep-allocation 0] [options of sbatch] -- program: a trainer that runs the program on a Slurm cluster, one job at a time for each model

  trainyard serve --checkpoints /shared/checkpoints --trainer-jobs 8 --trainer-resume \\
    --trainer "trainyard slurm -p gpu --gres=gpu:8 --time=12:00:00 -- python3 -u train.py"

  The program is a trainer like any other. It runs where Slurm puts it, in the folder of the server, reads its job from standard
  input and writes events to standard output. The checkpoints folder must be at the same path on all nodes.

  A job that is preempted or loses its node is submitted again, up to as many times as --resubmit says: 3 by default, 0 for never.
  What the program saves in the folder \`resume.state\` of its job stays between submissions.

  With --keep-allocation 300, the allocation of a job waits for the next job for 300 seconds after its end, so that a loop of jobs
  waits in the queue once. Jobs share an allocation if they have the same options of sbatch.`;

/** Runs `trainyard slurm`. */
export async function run(args: readonly string[]): Promise<void> {
  const at = args.indexOf("--");
  const program = at < 0 ? [] : args.slice(at + 1);
  if (program.length === 0) throw new UsageError("Name the program after `--`.");
  const options = args.slice(0, at);
  const faults: string[] = [];
  /** Takes an option of ours, with a number, from those of sbatch. */
  const take = (name: string, usual: number, what: string, zero: string): number => {
    const place = options.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
    if (place < 0) return usual;
    const [, inline] = options[place]?.split("=") ?? [];
    const value = inline ?? options[place + 1] ?? "";
    if (!/^\d{1,6}$/.test(value)) faults.push(`${name} must be ${what}, 0 or more, not "${value}". 0 ${zero}.`);
    options.splice(place, inline === undefined ? 2 : 1);
    return Number(value);
  };
  const resubmit = take("--resubmit", 3, "a number of submissions", "submits no job again");
  const keep = take("--keep-allocation", 0, "a number of seconds", "keeps no allocation");
  await trainBySlurm(options, program, { resubmit, keep, faults });
}
