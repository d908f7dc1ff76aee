/** From a value to a place on the page, along a line. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]) {
  const span = to - from || 1;
  return (value: number): number => start + ((value - from) / span) * (end - start);
}

/** A line through what is known, with gaps where nothing is. */
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

/** The lowest and the highest of what is known. */
export function extent(values: readonly (number | null | undefined)[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null || value === undefined) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? [0, 1] : [low, high];
}

/** At most so many places of a list, the first and the last among them. */
export function ticks(length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, at) => at);
  return [...new Set(Array.from({ length: most }, (_, at) => Math.round((at * (length - 1)) / (most - 1))))];
}
