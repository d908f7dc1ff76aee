export { automatic, resultNames, slugOf } from "./buckets.ts";

const hour = 3600;
const day = 24 * hour;
const bucketLimit = 10_000;

/**
 * The size of a bucket of feedback statistics, in seconds. The local server and `trainyard verify` both use it.
 *
 * @param range of the window, in seconds
 * @param wanted the requested size; null, undefined or 0 derive it from the range
 */
export function granularityOf(range: number, wanted: number | null | undefined): number {
  const size = wanted || chosenFor(range);
  return Math.ceil(range / size) > bucketLimit ? Math.max(size, Math.trunc(range / bucketLimit) + 1) : size;
}

function chosenFor(range: number): number {
  if (range <= 2 * hour) return 300;
  if (range <= 12 * hour) return hour;
  if (range <= 3 * day) return 6 * hour;
  if (range <= 14 * day) return 12 * hour;
  return day;
}
