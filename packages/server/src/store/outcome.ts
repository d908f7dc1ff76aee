import { StoreRefusal } from "./refusal.ts";
import { StorageFault, storageSentence } from "./storage-fault.ts";

/** What a thread answers to a command: its result, why it was refused, or what is wrong with the storage. */
export type Outcome = { readonly result: unknown } | { readonly refusal: string } | { readonly storage: string };

/** The outcome of a command. Errors of the program are thrown. */
export function outcomeOf(command: () => unknown): Outcome {
  try {
    return { result: command() };
  } catch (error) {
    if (error instanceof StoreRefusal) return { refusal: error.message };
    const storage = storageSentence(error);
    if (storage !== undefined) return { storage };
    throw error;
  }
}

/** @throws StoreRefusal or StorageFault */
export function resultOf(outcome: Outcome): unknown {
  if ("refusal" in outcome) throw new StoreRefusal(outcome.refusal);
  if ("storage" in outcome) throw new StorageFault(outcome.storage);
  return outcome.result;
}
