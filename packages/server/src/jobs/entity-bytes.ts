import type { Store } from "../store/store.ts";
import type { CheckpointFolders } from "./folders.ts";

/** How much longer a result is used than it took to calculate. */
const reuse = 100;

/**
 * Returns how many bytes each entity holds in the store and in files. Calculating it reads every log's row and every file's
 * size, so that a result of a large server is used for a while.
 */
export function entityBytes(store: Store, folders: CheckpointFolders): () => Promise<ReadonlyMap<string, number>> {
  const calculate = async (): Promise<ReadonlyMap<string, number>> => {
    const { models, entities } = await store.read("store.usage", undefined);
    const bytes = new Map(entities.map((one) => [one.entity, one.bytes]));
    for (const { id, entity } of models) bytes.set(entity, (bytes.get(entity) ?? 0) + (await folders.bytesOf(id)));
    return bytes;
  };
  let last: ReturnType<typeof calculate> | undefined;
  let validUntil = 0;
  return () => {
    const start = performance.now();
    if (last !== undefined && start < validUntil) return last;
    validUntil = Number.POSITIVE_INFINITY;
    last = calculate();
    last.then(
      () => (validUntil = performance.now() + reuse * (performance.now() - start)),
      () => (validUntil = 0),
    );
    return last;
  };
}
