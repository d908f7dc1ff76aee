import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** In bytes, for both halves together. */
const enough = 32 * 2 ** 20;

/**
 * Stops the growth of V8's young generation at 32 MiB, for this process and all its threads. While large bodies arrive, V8 lets
 * it grow to 128 MiB on a 64-bit system, which makes a server a quarter larger and no faster. A program cannot set the limit
 * itself (`--max-semi-space-size` is read at the start), but V8 reads the growth factor each time it grows. V8 shrinks the
 * young generation after a quiet time, so growth is allowed again below the limit.
 */
export function limitYoungGeneration(): void {
  let canGrow = true;
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    const isSmall = young !== undefined && young.space_size < enough;
    if (isSmall === canGrow) return;
    canGrow = isSmall;
    // 2 is V8's default.
    setFlagsFromString(`--semi-space-growth-factor=${canGrow ? 2 : 1}`);
  });
  observer.observe({ entryTypes: ["gc"] });
}
