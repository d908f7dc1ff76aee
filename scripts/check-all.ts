/** `pnpm check`: every check of `pnpm test`, through turbo's cache. */
import { checks } from "./lib/checks.ts";
import { runTasks } from "./lib/tasks.ts";

const { passed } = runTasks(
  checks.map(({ name, holds, cure }) => ({ task: `check:${name}`, shown: `check ${name}`, holds, cure })),
);
process.exitCode = passed ? 0 : 1;
