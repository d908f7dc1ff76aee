import { Worker } from "node:worker_threads";
import type { Connect, Reply } from "./generator-protocol.ts";

/**
 * The tiny model in a thread of its own: whoever asks keeps its own thread for other things.
 *
 * @param checkpoints the folder in which the local server keeps checkpoints; without it the base model alone answers
 */
export function inThread(checkpoints?: string): Connect {
  return (reply, fail) => {
    // Beside this file stands the thread's: in the sources as TypeScript, in the package as JavaScript.
    const source = import.meta.url.endsWith(".ts");
    const worker = new Worker(new URL(source ? "./generator-thread.ts" : "./generator-thread.js", import.meta.url), {
      workerData: checkpoints,
      name: "trainyard tiny",
      ...(source && { execArgv: ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"] }),
    });
    worker.unref();
    worker.on("message", (told: Reply) => reply(told));
    worker.on("error", (cause) => fail(new Error("The thread of the tiny model failed.", { cause })));
    worker.on("exit", () => fail(new Error("The thread of the tiny model has ended.")));
    return worker;
  };
}
