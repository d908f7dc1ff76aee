// `trainyard serve` with threads that a test can end, or let hang: it sends the name of one.
import { syncBuiltinESMExports } from "node:module";
import threads, { BroadcastChannel, Worker, type WorkerOptions } from "node:worker_threads";

// A thread that gets its name on this channel does nothing else any more.
const hook = new URL("hanging-thread.ts", import.meta.url).href;
const hanging = new BroadcastChannel("hang");
hanging.unref();
const started = new Map<string | undefined, Worker>();
threads.Worker = class extends Worker {
  constructor(module: string | URL, options: WorkerOptions = {}) {
    super(module, { ...options, execArgv: [...(options.execArgv ?? []), "--import", hook] });
    started.set(options.name, this);
  }
};
syncBuiltinESMExports();
// A question that is none is an error in the thread.
process.on("message", ({ end, hang }: { end?: string; hang?: string }) => {
  if (hang !== undefined) hanging.postMessage(hang);
  else started.get(end)?.postMessage(null);
});
process.channel?.unref();
const { run } = await import("../../src/cli/serve.ts");
await run(process.argv.slice(2));
