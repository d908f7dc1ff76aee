/** `pnpm check`: every check of `pnpm test`, through turbo's cache. */
import { checkTasks } from "./lib/checks.ts";
import { runTasks } from "./lib/tasks.ts";

process.exitCode = runTasks(checkTasks) ? 0 : 1;
