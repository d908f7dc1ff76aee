/** What the build and `tinyTrainer` start: `trainyard tiny` without the command line. */
import { startCommand } from "@trainyard/terminal/command";
import { run } from "./command.ts";

await startCommand(import.meta.url, run);
