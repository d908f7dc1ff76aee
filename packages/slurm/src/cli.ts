/** What `slurmTrainer` starts for each job: `trainyard slurm` without the command line. */
import { startCommand } from "@trainyard/terminal/command";
import { run } from "./command.ts";

await startCommand(import.meta.url, run);
