/**
 * `npx -y pnpm@12 --filter @trainyard/tiny bench`: measures the model against its limits.
 *
 *     --only loading|sampling|training|health   one part
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureHealth } from "./health.ts";
import { measureLoading } from "./loading.ts";
import type { Result } from "./result.ts";
import { measureSampling } from "./sampling.ts";
import { measureTraining } from "./training.ts";

const parts: Readonly<Record<string, () => Promise<Result[]>>> = {
  loading: measureLoading,
  sampling: measureSampling,
  training: measureTraining,
  health: measureHealth,
};
const { values } = parseArgs({ options: { only: { type: "string" } } });
if (values.only !== undefined && !Object.hasOwn(parts, values.only)) {
  throw new Error(`There is no part ${values.only}. There are: ${Object.keys(parts).join(", ")}.`);
}

console.log(
  `Node ${process.versions.node}, ${availableParallelism()} processors, a load of ${loadavg()[0]?.toFixed(1)} at the start.`,
);
let isMissed = false;
for (const [name, measure] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue;
  for (const { what, measured, bar, met } of await measure()) {
    const verdict = bar === undefined ? "" : `   ${met === true ? "met" : "MISSED"}: ${bar}`;
    console.log(`${what.padEnd(36)} ${measured.padStart(14)}${verdict}`);
    isMissed ||= met === false;
  }
}
process.exitCode = isMissed ? 1 : 0;
