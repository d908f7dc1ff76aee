import type { Reply } from "./protocol.ts";
import { StoreRefusal } from "./refusal.ts";
import { storageSentence } from "./storage-fault.ts";

/** Describes why a command failed: it was refused, the storage failed, or the program has an error. */
export function failureOf(id: number, error: unknown): Reply {
  if (error instanceof StoreRefusal) return { id, refusal: error.message };
  const storage = storageSentence(error);
  if (storage !== undefined) return { id, storage };
  return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
