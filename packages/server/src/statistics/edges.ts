import type { Span, Zone } from "./zone.ts";

/** The earliest edge there is, in seconds (0001-01-02): every zone writes it with four digits of a year. */
const earliest = -62_135_510_400;

/** The longest size, in seconds, of which a time that the clock shows twice begins two buckets. */
const hour = 3600;

/**
 * The edges of buckets: the instants at which the zone's clock shows a multiple of the size, counted from 1970 on that
 * clock. The first edge is the last at or before `start`, and all are before `end`.
 *
 * Where the clock is set forward over an edge, the change itself is the edge. Where it is set back and shows an edge
 * twice, both are edges for sizes up to an hour, and the first alone for longer ones.
 *
 * @param start in seconds; no edges where it is not before `end`
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

/** Whether the change that begins a span sets the clock forward over an edge. */
function skipsEdge({ from, offset, before }: Span, size: number): boolean {
  return offset > before && Math.ceil((from + before) / size) * size < from + offset;
}

/** The first instant of a span at which a multiple counts: of what the clock shows again, maybe not. */
function firstMultiple(span: Span, size: number): number {
  const { from, offset, before } = span;
  if (from === Number.NEGATIVE_INFINITY) return from;
  const shownBefore = size > hour ? Math.max(from + before, from + offset) : from + offset;
  return nextMultiple(shownBefore - offset, size, span);
}

/** The first instant at or after a second at which the clock shows a multiple of the size. */
function nextMultiple(second: number, size: number, { offset }: Span): number {
  return Math.ceil((second + offset) / size) * size - offset;
}
