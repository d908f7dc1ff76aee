import type { Started } from "./commands/groups.ts";
import { StorageFault } from "./storage-fault.ts";
import type { Store } from "./store.ts";

/** The first piece of the facts of groups, and whether others follow. */
interface First {
  readonly groups: string;
  readonly more: boolean;
}

/** Stores a log or a job with the first piece of its groups, and then the others, so that others have their turn in between. */
export async function storeInPieces<T, R extends string>(
  store: Store,
  of: { readonly entity: string; readonly modelId: string },
  [groups = "[]", ...rest]: readonly string[],
  start: (first: First) => Promise<Started<T> | R>,
): Promise<T | R> {
  const started = await start({ groups, more: rest.length > 0 });
  if (typeof started === "string") return started;
  const { answer, rows } = started;
  for (const [at, piece] of rest.entries()) {
    const more = { entity: of.entity, modelId: of.modelId, groups: piece, more: at < rest.length - 1 };
    // Without rows, the answer is that of an earlier request with the same key.
    if (rows === undefined) break;
    try {
      if (!(await store.call("groups.add", { ...rows, ...more }))) break;
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error;
      // It is stored. Its other rows are derived once the storage works again.
      break;
    }
  }
  return answer;
}
