import { Temporal } from "temporal-polyfill";

/** A moment, in microseconds since 1970. */
export type Micros = bigint;

/**
 * Reads a time of the contract: ISO 8601, UTC where it has no offset. What is finer than a microsecond is cut off.
 *
 * @param text what the format `date-time` accepts
 * @throws RangeError where it is no time
 */
export function parseMicros(text: string): Micros {
  const cut = text.replace(/(\.\d{6})\d+/, "$1");
  const instant = Temporal.Instant.from(/(?:z|[+-]\d\d:\d\d)$/i.test(cut) ? cut : `${cut}Z`);
  return instant.epochNanoseconds / 1000n;
}

/** A moment in UTC, as precise as it needs to be: `2026-11-04T00:00:00Z`. */
export function formatMicros(micros: Micros): string {
  return Temporal.Instant.fromEpochNanoseconds(micros * 1000n).toString();
}

/** The whole second that holds a moment. */
export function secondOf(micros: Micros): number {
  const second = micros / 1_000_000n;
  return Number(second * 1_000_000n > micros ? second - 1n : second);
}

/** A second on a clock of that offset, with the offset: `2026-11-01T01:00:00-05:00`. */
export function formatSecond(second: number, offset: number): string {
  // ISO 8601 writes offsets in minutes. A few zones had seconds in theirs, long ago: the instant stays right.
  let minutes = Math.round(offset / 60);
  // A clock that shows a year with five digits cannot be written: that of UTC shows the same instant.
  if (second + minutes * 60 > lastSecond) minutes = 0;
  const clock = new Date((second + minutes * 60) * 1000).toISOString().slice(0, 19);
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${clock}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}

/** 9999-12-31T23:59:59, in seconds. */
const lastSecond = 253_402_300_799;

function two(value: number): string {
  return String(value).padStart(2, "0");
}
