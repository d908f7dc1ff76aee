// Requests the health of a local server again and again, and prints how long each response took, in milliseconds.
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createTrainingClient } from "@trainyard/training";

const { url, milliseconds }: { url: string; milliseconds: number } = workerData;
const { health } = createTrainingClient({ baseUrl: url, apiKey: "none", maxRetries: 0 });
const until = performance.now() + milliseconds;
const latencies: number[] = [];
while (performance.now() < until) {
  const start = performance.now();
  await health.check();
  latencies.push(performance.now() - start);
  await setTimeout(10);
}
parentPort?.postMessage(latencies);
