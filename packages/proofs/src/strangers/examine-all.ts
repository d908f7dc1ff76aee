import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Stranger } from "./corpus.ts";
import { nothing, type Examined } from "./examine.ts";

const program = join(import.meta.dirname, "programs/examine.ts");
const execArgv = ["--conditions=@trainyard/source", "--max-old-space-size=4096"];
/** A document that takes longer counts as a crash. */
const patience = 1_200_000;

/** Examines documents in several processes, the largest first. One that ends or hangs is a crash of its document. */
export async function examineAll(strangers: readonly Stranger[], clients: string): Promise<Map<string, Examined>> {
  const queue = strangers.toSorted((one, other) => statSync(other.file).size - statSync(one.file).size);
  const results = new Map<string, Examined>();
  await Promise.all(
    Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
      let worker: ChildProcess | undefined;
      for (let stranger = queue.shift(); stranger !== undefined; stranger = queue.shift()) {
        worker ??= fork(program, [clients], { execArgv });
        const result = await examinedBy(worker, stranger);
        if (result === undefined) {
          worker.kill("SIGKILL");
          worker = undefined;
        }
        const times = Object.entries(result?.seconds ?? {}).map(([what, time]) => `${what} ${time} s`);
        console.log(`${results.size + 1} of ${strangers.length}: ${stranger.name}: ${times.join(", ")}`);
        const crashes = ["its process ended, or took longer than 20 minutes"];
        results.set(stranger.name, result ?? { ...nothing(), crashes });
      }
      worker?.kill();
    }),
  );
  return results;
}

async function examinedBy(worker: ChildProcess, stranger: Stranger): Promise<Examined | undefined> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(patience)]);
  try {
    worker.send(stranger);
    const ended = once(worker, "exit", { signal }).then(() => undefined);
    return await Promise.race([once(worker, "message", { signal }).then(([result]) => result), ended]);
  } catch {
    return undefined;
  } finally {
    stop.abort();
  }
}
