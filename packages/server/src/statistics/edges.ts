import type { Span, Zone } from "./zone.ts";

/** The earliest supported edge, in seconds (0001-01-02): in every zone, its year has four digits. */
const earliest = -62_135_510_400;

/** The longest bucket size, in seconds, for which an hour that occurs twice starts two buckets. */
const hour = 3600;

/**
 * The edges of buckets: the instants at which the local time of the zone is a multiple of the size, counted from 1970
 * in local time. The first edge is the last one at or before `start`, and all are before `end`.
 *
 * If clocks go forward past an edge, the change itself is the edge. If clocks go back and an edge occurs twice, both
 * are edges for sizes up to an hour; for longer sizes only the first is.
 *
 * @param start in seconds; there are no edges if it is not before `end`
 * @param size in seconds, above 0
 */
export function bucketEdges(start: number, end: number, size: number, zone: Zone): number[] {
  if (start >= end) return [];
  const first = lastEdge(start, size, zone);
  const edges = [first];
  for (let span = zone.spanAt(Math.max(first, earliest)); span.from < end; span = zone.spanAt(span.to)) {
    for (let edge = firstEdge(span, first + 1, size); edge < Math.min(span.to, end);) {
      edges.push(edge);
      edge = nextMultiple(edge + 1, size, span);
    }
    if (span.to === Number.POSITIVE_INFINITY) break;
  }
  return edges;
}

/** The last edge at or before a second. */
function lastEdge(second: number, size: number, zone: Zone): number {
  let at = second;
  while (at > earliest) {
    const span = zone.spanAt(at);
    const edge = Math.floor((at + span.offset) / size) * size - span.offset;
    if (edge >= firstMultiple(span, size)) return Math.max(edge, earliest);
    if (skipsEdge(span, size)) return span.from;
    if (span.from === Number.NEGATIVE_INFINITY) break;
    at = span.from - 1;
  }
  return earliest;
}

/** The first edge of a span at or after a second. */
function firstEdge(span: Span, second: number, size: number): number {
  if (second <= span.from && skipsEdge(span, size)) return span.from;
  return nextMultiple(Math.max(second, firstMultiple(span, size)), size, span);
}

/** Whether the change at the start of a span moves the clock forward past an edge. */
function skipsEdge({ from, offset, before }: Span, size: number): boolean {
  return offset > before && Math.ceil((from + before) / size) * size < from + offset;
}

/** The first instant of a span at which a multiple counts as an edge. A repeated local time may not. */
function firstMultiple(span: Span, size: number): number {
  const { from, offset, before } = span;
  if (from === Number.NEGATIVE_INFINITY) return from;
  const shownBefore = size > hour ? Math.max(from + before, from + offset) : from + offset;
  return nextMultiple(shownBefore - offset, size, span);
}

/** The first instant at or after a second at which the local time is a multiple of the size. */
function nextMultiple(second: number, size: number, { offset }: Span): number {
  return Math.ceil((second + offset) / size) * size - offset;
}
