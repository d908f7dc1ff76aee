// `trainyard serve` with threads that a test can end: it sends the name of one.
import { syncBuiltinESMExports } from "node:module";
import threads, { Worker, type WorkerOptions } from "node:worker_threads";

const started = new Map<string | undefined, Worker>();
threads.Worker = class extends Worker {
  constructor(module: string | URL, options: WorkerOptions = {}) {
    super(module, options);
    started.set(options.name, this);
  }
};
syncBuiltinESMExports();
// A question that is none is an error in the thread.
process.on("message", (name: string) => started.get(name)?.postMessage(null));
process.channel?.unref();
const { run } = await import("../../src/cli/serve.ts");
await run(process.argv.slice(2));
