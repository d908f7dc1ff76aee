import type { ThreadEnd } from "@trainyard/host";
import { moduleAt, Thread } from "@trainyard/host/thread";
import type { Generator } from "./generator.ts";

/**
 * The tiny model in a thread of its own, so that the caller's thread stays free. It starts with the first request.
 *
 * @param checkpoints the folder in which the local server stores checkpoints; without it, only the base model is served
 * @param crashed is called when the thread has ended by an error
 */
export function inThread(checkpoints?: string, crashed?: (end: ThreadEnd) => void): Generator {
  return new Thread({
    name: "tiny model",
    module: moduleAt("./generator-thread", import.meta.url),
    data: checkpoints,
    crashed,
    watch: () => ({ operation: "chat.completions.create", seconds: 10 }),
  });
}
