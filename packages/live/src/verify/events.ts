import { isObject } from "@trainyard/core/validation";
import type { Media } from "@trainyard/document";
import { eventParser } from "@trainyard/core/events";
import type { Findings } from "./report.ts";
import type { Exchange } from "./wire.ts";

/** The items of a stream, and its faults as a stream: no end, events after the end, an event that is not JSON. */
export function readEvents(exchange: Exchange, media: Media, findings: Findings): unknown[] {
  const { operation, answer } = exchange;
  const end = operation?.stream?.end ?? "";
  const add = (says: string, seen: string) => findings.add(exchange, { pointer: media.pointer, says, seen });
  const data = eventsOf(answer.text);
  const at = data.indexOf(end);
  const items = data.slice(0, at < 0 ? undefined : at);
  const values = items.map((one): unknown => {
    try {
      return JSON.parse(one);
    } catch {
      add("The data of each event is JSON.", `an event of ${one.length} characters that is not JSON`);
      return undefined;
    }
  });
  const hasError = values.some((value) => isObject(value) && "error" in value);
  if (hasError) findings.note(`${operation?.name}: the service ended a stream early, with an error.`);
  else if (at < 0) add(`A stream ends with \`${end}\`.`, `${data.length} events, and no \`${end}\``);
  if (at >= 0 && data.length > at + 1)
    add(`A stream ends with \`${end}\`.`, `${data.length - at - 1} more after \`${end}\``);
  if (at === 0) add("A stream has events before its end.", `\`${end}\` alone`);
  return values.filter((value) => value !== undefined && !(isObject(value) && "error" in value));
}

/** The data of each event. */
export function eventsOf(text: string): string[] {
  const parser = eventParser();
  return [...parser.push(new TextEncoder().encode(text)), ...parser.end()].map(({ data }) => data);
}
