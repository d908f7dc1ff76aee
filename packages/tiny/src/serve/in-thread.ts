import { Worker } from "node:worker_threads";
import type { Connect, Reply } from "./generator-protocol.ts";

/**
 * The tiny model in a thread of its own, so that the caller's thread stays free.
 *
 * @param checkpoints the folder in which the local server stores checkpoints; without it, only the base model is served
 */
export function inThread(checkpoints?: string): Connect {
  return (reply, fail) => {
    // The thread's module is beside this file: TypeScript in the sources, JavaScript in the package.
    const source = import.meta.url.endsWith(".ts");
    const worker = new Worker(new URL(source ? "./generator-thread.ts" : "./generator-thread.js", import.meta.url), {
      workerData: checkpoints,
      name: "trainyard tiny",
      ...(source && { execArgv: ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"] }),
    });
    worker.unref();
    worker.on("message", (message: Reply) => reply(message));
    worker.on("error", (cause) => fail(new Error("The thread of the tiny model failed.", { cause })));
    worker.on("exit", () => fail(new Error("The thread of the tiny model has ended.")));
    return worker;
  };
}
