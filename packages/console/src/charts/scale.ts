/** Maps a value to a position on the page. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]) {
  const span = to - from || 1;
  return (value: number): number => start + ((value - from) / span) * (end - start);
}

/** A line through the known values, with gaps where values are missing. */
export function linePath(
  values: readonly (number | null | undefined)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  let isDown = false;
  for (const [at, value] of values.entries()) {
    if (value === null || value === undefined) continue;
    path += `${isDown ? "L" : "M"}${x(at).toFixed(1)},${y(value).toFixed(1)}`;
    isDown = true;
  }
  return path;
}

/** The lowest and the highest known value. */
export function extent(values: readonly (number | null | undefined)[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null || value === undefined) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? [0, 1] : [low, high];
}

/** At most this many indices of a list, including the first and the last. */
export function ticks(length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, at) => at);
  return [...new Set(Array.from({ length: most }, (_, at) => Math.round((at * (length - 1)) / (most - 1))))];
}
