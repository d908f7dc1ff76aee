// The statistics of contract.md once more, in the plainest way: second by second where it must be, nothing shared with
// the server. Slow, and easy to read.

export interface Row {
  at: number;
  type: string;
  ref: string | null;
  payload: unknown;
}

export interface PlainMetric {
  json_path: string;
  value_type: "numeric" | "boolean" | "categorical";
  aggregations: string[];
  percentiles: number[];
}

/** Seconds that the clock of a zone shows more than UTC. */
export function offsetIn(zone: string): (second: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const at = (second: number): number => {
    const part = Object.fromEntries(
      format.formatToParts(second * 1000).map(({ type, value }) => [type, Number(value)]),
    );
    const day = Date.UTC(part["year"] ?? 0, (part["month"] ?? 0) - 1, part["day"]);
    return day / 1000 + (part["hour"] ?? 0) * 3600 + (part["minute"] ?? 0) * 60 + (part["second"] ?? 0) - second;
  };
  const known = new Map<number, number>();
  const remembered = (second: number): number => {
    const offset = known.get(second) ?? at(second);
    known.set(second, offset);
    return offset;
  };
  return (second) => {
    const quarter = Math.floor(second / 900) * 900;
    const offset = remembered(quarter);
    // Most clocks change at a quarter of an hour, but not all.
    return offset === remembered(quarter + 900) ? offset : remembered(Math.floor(second / 60) * 60);
  };
}

/** The edges from the last at or before `start` to `end`, looked for minute by minute. Sizes are whole minutes. */
export function plainEdges(start: number, end: number, size: number, zone: string): number[] {
  const offset = offsetIn(zone);
  const from = Math.floor((start - 2 * size - 3 * 86_400) / 60) * 60;
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let t = from; t < end; t += 60) {
    const clock = t + offset(t);
    const expected = t - 60 + offset(t - 60) + 60;
    const isMultiple = ((clock % size) + size) % size === 0;
    const jumpedOver = expected < clock && Math.ceil(expected / size) * size < clock;
    if ((isMultiple && !(size > 3600 && seen.has(clock))) || jumpedOver) edges.push(t);
    if (isMultiple) seen.add(clock);
  }
  const first = edges.findLastIndex((edge) => edge <= start);
  return edges.slice(Math.max(first, 0));
}

/** What a bucket or a window has of a metric; `zero` is what sums have without values. */
export function plainNumbers(rows: Row[], metric: PlainMetric, zero: 0 | null): Record<string, number | null> {
  const values = rows.flatMap((row) => valueOf(row.payload, metric));
  const sorted = values.toSorted((a, b) => a - b);
  const sum = values.reduce((a, b) => a + b, 0);
  const numbers: Record<string, number | null> = {};
  const defaults = { numeric: ["avg", "min", "max"], boolean: ["count_true", "count_false"], categorical: ["count"] };
  for (const name of metric.aggregations.length > 0 ? metric.aggregations : defaults[metric.value_type]) {
    if (name === "sum") numbers[name] = values.length > 0 ? sum : zero;
    if (name === "avg") numbers[name] = values.length > 0 ? sum / values.length : zero;
    if (name === "min") numbers[name] = sorted[0] ?? null;
    if (name === "max") numbers[name] = sorted.at(-1) ?? null;
    if (name === "count") numbers[name] = values.length;
    if (name === "count_true") numbers[name] = values.filter((value) => value === 1).length;
    if (name === "count_false") numbers[name] = values.filter((value) => value === 0).length;
  }
  for (const percentile of metric.value_type === "numeric" ? metric.percentiles : []) {
    const place = (percentile / 100) * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    numbers[`p${percentile}`] = low === undefined || high === undefined ? null : low + (high - low) * (place % 1);
  }
  return numbers;
}

function valueOf(payload: unknown, { json_path, value_type }: PlainMetric): number[] {
  let value = payload;
  for (const key of json_path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  if (value_type === "numeric") return typeof value === "number" ? [value] : [];
  if (value_type === "boolean") return typeof value === "boolean" ? [Number(value)] : [];
  return typeof value === "string" ? [1] : [];
}

export function slugOf(path: string): string {
  return path
    .split("")
    .map((c) => (c === "." || c === " " ? "_" : c))
    .join("");
}
