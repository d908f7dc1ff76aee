import { ThreadEnd } from "@trainyard/host";
import { StorageFault } from "../store/storage-fault.ts";

const retryMs = 500;

/**
 * Stores something of a job. While the storage fails, it retries: a full disk must not lose hours of training.
 *
 * @param work may have taken effect before it is repeated, if a thread ended in between
 * @param isOver whether the job no longer needs it; then the error is thrown
 */
export async function untilStored<T>(work: () => Promise<T>, isOver: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageFault || error instanceof ThreadEnd) || isOver()) throw error;
    }
    // Unlike a timer, it does not keep the process alive.
    await new Promise((resolve) => AbortSignal.timeout(retryMs).addEventListener("abort", resolve));
  }
}
