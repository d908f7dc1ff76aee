import { loadBase } from "../base/base-model.ts";
import { quantile, type Result } from "./result.ts";

const rounds = 11;
const most = 50;

/** How long it takes to read and check an existing base model. */
export async function measureLoading(): Promise<Result[]> {
  await loadBase();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await loadBase();
    times.push(performance.now() - start);
  }
  const median = quantile(times);
  return [
    {
      what: "loading the base model",
      measured: `${median.toFixed(1)} ms`,
      bar: `at most ${most} ms`,
      met: median <= most,
    },
  ];
}
