import { loadBase } from "./base-model.ts";

export const baseHelp = `trainyard-tiny base: trains the base model if its weights do not exist, and loads them`;

/** Prints how long the base model takes to load. The first time, it is trained before. */
export async function baseCommand(): Promise<void> {
  await loadBase();
  const start = performance.now();
  const { weights } = await loadBase();
  const megabytes = (weights.byteLength / 1e6).toFixed(1);
  console.log(
    `demo/tiny: ${megabytes} MB of weights, loaded and checked in ${(performance.now() - start).toFixed(0)} ms.`,
  );
}
