#!/usr/bin/env node
import { startCommand } from "@trainyard/host/command";
import { trainBySlurm } from "./train.ts";

const help = `trainyard-slurm [options of sbatch] -- program: a trainer that runs the program on a Slurm cluster, one job at a time for each model

  trainyard serve --checkpoints /shared/checkpoints --trainer-jobs 8 --trainer-resume \\
    --trainer "trainyard-slurm -p gpu --gres=gpu:8 --time=12:00:00 -- python3 -u train.py"

  The program is a trainer like any other. It runs where Slurm puts it, in the folder of the server, reads its job from standard
  input and writes events to standard output. The checkpoints folder must be at the same path on all nodes

trainyard-slurm --version: prints the version`;

await startCommand(import.meta.url, async (args) => {
  const [options, program] = args.includes("--")
    ? [args.slice(0, args.indexOf("--")), args.slice(args.indexOf("--") + 1)]
    : [args, []];
  if (options.includes("--help")) return console.log(help);
  try {
    if (program.length === 0) throw new Error(`Name the program after \`--\`.\n\n${help}`);
    await trainBySlurm(options, program);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
});
