import { text } from "node:stream/consumers";
import { trainBySlurm } from "../slurm/train.ts";

export const slurmHelp = `trainyard slurm [options of sbatch] -- program: a trainer that runs the program on a Slurm cluster, one job at a time for each model

  trainyard serve --checkpoints /shared/checkpoints --trainer-jobs 8 --trainer-resume \\
    --trainer "trainyard slurm -p gpu --gres=gpu:8 --time=12:00:00 -- python3 -u train.py"

  The program is a trainer like any other. It runs where Slurm puts it, in the folder of the server, reads its job from standard
  input and writes events to standard output. The checkpoints folder must be at the same path on all nodes`;

/** Trains on Slurm: reads the job from standard input, and writes its events to standard output. */
export async function slurmCommand(args: readonly string[]): Promise<void> {
  const border = args.indexOf("--");
  const [options, program] = border === -1 ? [args, []] : [args.slice(0, border), args.slice(border + 1)];
  if (program.length === 0) throw new Error(`Name the program after \`--\`.\n\n${slurmHelp}`);
  const [leave, stop] = [new AbortController(), new AbortController()];
  process.on("SIGHUP", () => leave.abort());
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort());
  // The server that read the output has exited; the job continues.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => leave.abort());
  await trainBySlurm(options, program, {
    input: await text(process.stdin),
    out: (line) => new Promise((resolve) => process.stdout.write(`${line}\n`, () => resolve())),
    err: (part) => new Promise((resolve) => process.stderr.write(part, () => resolve())),
    leave: leave.signal,
    stop: stop.signal,
  });
}
