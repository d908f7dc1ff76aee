import { setTimeout as later } from "node:timers/promises";
import { StorageFault } from "../store/storage-fault.ts";

const retryMs = 500;

/**
 * Stores something of a job. While the storage fails, it waits and tries again: hours of training are not lost to a full disk.
 *
 * @param isOver whether nobody waits for it any more; then the fault is thrown
 */
export async function untilStored<T>(work: () => Promise<T>, isOver: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageFault) || isOver()) throw error;
    }
    await later(retryMs, undefined, { ref: false });
  }
}
