import { loadBase } from "./base-model.ts";

export const baseHelp = `trainyard-tiny base: makes the weights of the base model, where they are not there, and loads them`;

/** Says how long the base model takes to load; the first time it is made before. */
export async function baseCommand(): Promise<void> {
  await loadBase();
  const start = performance.now();
  const { weights } = await loadBase();
  const megabytes = (weights.byteLength / 1e6).toFixed(1);
  console.log(
    `demo/tiny: ${megabytes} MB of weights, loaded and checked in ${(performance.now() - start).toFixed(0)} ms.`,
  );
}
