import { Temporal } from "temporal-polyfill";

/** A moment, in microseconds since 1970. */
export type Micros = bigint;

/**
 * Reads a time of the contract: ISO 8601, UTC if it has no offset. It is truncated to microseconds.
 *
 * @param text text of the format `date-time`
 * @throws RangeError if it is not a valid time
 */
export function parseMicros(text: string): Micros {
  const cut = text.replace(/(\.\d{6})\d+/, "$1");
  const instant = Temporal.Instant.from(/(?:z|[+-]\d\d:\d\d)$/i.test(cut) ? cut : `${cut}Z`);
  return instant.epochNanoseconds / 1000n;
}

/** A moment in UTC, with as many decimals as it needs: `2026-11-04T00:00:00Z`. */
export function formatMicros(micros: Micros): string {
  return Temporal.Instant.fromEpochNanoseconds(micros * 1000n).toString();
}

/** The whole second that contains a moment. */
export function secondOf(micros: Micros): number {
  const second = micros / 1_000_000n;
  return Number(second * 1_000_000n > micros ? second - 1n : second);
}

/** A second in local time with its offset: `2026-11-01T01:00:00-05:00`. */
export function formatSecond(second: number, offset: number): string {
  // ISO 8601 writes offsets in minutes. A few historic offsets have seconds; the instant stays correct.
  let minutes = Math.round(offset / 60);
  // A local year of five digits cannot be written, so the same instant is written in UTC.
  if (second + minutes * 60 > lastSecond) minutes = 0;
  const clock = new Date((second + minutes * 60) * 1000).toISOString().slice(0, 19);
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${clock}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}

/** 9999-12-31T23:59:59, in seconds. */
const lastSecond = 253_402_300_799;
const two = (value: number): string => String(value).padStart(2, "0");
