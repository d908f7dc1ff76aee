/** `pnpm check:contract`. */
import { join } from "node:path";
import { findServices, formatProblem } from "@trainyard/document/files";
import { lint } from "./lint.ts";

const root = join(import.meta.dirname, "../../../..");
const services = findServices(root);
const problems = await lint(root, services);
if (problems.length === 0) console.log(`${services.join(", ")}: no rule is violated.`);
else {
  console.error(problems.map(formatProblem).join("\n\n"));
  console.error(`\n${problems.length === 1 ? "One fault" : `${problems.length} faults`}.`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
