/** `pnpm check`: every check of `pnpm test`, or the named one, through turbo, which first builds what the check needs. */
import { checkTasks } from "./lib/checks.ts";
import { runTasks } from "./lib/tasks.ts";

const [name] = process.argv.slice(2);
const tasks = checkTasks.filter(({ task }) => name === undefined || task === `check:${name}`);
process.exitCode = runTasks(tasks) ? 0 : 1;
