// Requests the health of a local server again and again, in a thread, and tells how long each response took.
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createTrainingClient } from "@trainyard/training";

const { url, until }: { url: string; until: number } = workerData;
const { health } = createTrainingClient({ baseUrl: url, apiKey: "none", maxRetries: 0 });
const latencies: number[] = [];
while (Date.now() < until) {
  const start = performance.now();
  await health.check();
  latencies.push(performance.now() - start);
  await setTimeout(10);
}
parentPort?.postMessage(latencies);
