import { StorageFault } from "./storage-fault.ts";
import type { Store } from "./store.ts";

/** Asks the rules about the runs whose steps have changed, and stores the marks. Storage that is full keeps earlier ones. */
export async function askRules(store: Store, most: number = 50): Promise<void> {
  let after = "";
  for (let run = 0; run < most; run++) {
    const steps = await store.read("marks.ask", { after });
    if (steps[0] === undefined) return;
    after = steps[0].id;
    await store.call("marks.keep", steps).catch((error: unknown) => {
      if (!(error instanceof StorageFault)) throw error;
    });
  }
}
