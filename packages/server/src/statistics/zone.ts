import { Temporal } from "temporal-polyfill";

/** A span of time in which the offset of a zone does not change. In seconds. */
export interface Span {
  /** When it starts: at a change of the clock, or never (`-Infinity`). */
  readonly from: number;
  /** When the next change is, or never (`Infinity`). */
  readonly to: number;
  /** Seconds that local time is ahead of UTC. */
  readonly offset: number;
  /** The offset before `from`; the same as `offset` if there is no change. */
  readonly before: number;
}

/** The clock of a time zone. */
export interface Zone {
  readonly name: string;
  /** The span that contains a second. */
  spanAt(second: number): Span;
}

/** The zone with an IANA name. Undefined for unknown names; offsets such as `+02:00` are not names. */
export function zoneOf(name: string): Zone | undefined {
  if (/^[+-]|^$/.test(name)) return undefined;
  let origin: Temporal.ZonedDateTime;
  try {
    origin = new Temporal.ZonedDateTime(0n, name);
  } catch {
    return undefined;
  }
  const at = (second: number) =>
    Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(origin.timeZoneId);
  const secondOf = (time: Temporal.ZonedDateTime) => time.epochMilliseconds / 1000;
  const offsetAt = (second: number) => at(second).offsetNanoseconds / 1e9;
  let cached: Span | undefined;
  return {
    name,
    spanAt: (second) => {
      if (cached !== undefined && second >= cached.from && second < cached.to) return cached;
      // `previous` is strictly before: a second that is itself a change belongs to the span that it starts.
      const previous = at(second + 1).getTimeZoneTransition("previous");
      const next = at(second).getTimeZoneTransition("next");
      const offset = offsetAt(second);
      const from = previous === null ? Number.NEGATIVE_INFINITY : secondOf(previous);
      const to = next === null ? Number.POSITIVE_INFINITY : secondOf(next);
      cached = { from, to, offset, before: previous === null ? offset : offsetAt(from - 1) };
      return cached;
    },
  };
}
