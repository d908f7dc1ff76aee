import { isObject } from "@trainyard/core/validation";
import type { Stream } from "./dialect.ts";
import { eventsOf, isLines, jsonOf, sentType } from "./media.ts";
import { successesOf, type Operation } from "./operation.ts";
import { shapeOf } from "./shape.ts";

/**
 * How an operation streams that does not say it: always, if it answers a stream alone; beside JSON, by the boolean `stream` of
 * its body, or by the only boolean whose name has that word.
 */
export function deriveStream(
  document: object,
  { body, responses }: Pick<Operation, "body" | "responses">,
): Stream | undefined {
  const content = successesOf(responses).find((one) => eventsOf(one.content))?.content ?? new Map();
  const media = eventsOf(content);
  if (!media?.item) return undefined;
  const lines = isLines(media) ? { lines: sentType(media) } : {};
  if (content.size === 1) return lines;
  if (!jsonOf(content)) return undefined;
  const booleans = [...(body?.content.values() ?? [])].flatMap(({ schema }) =>
    [...(schema ? shapeOf(document, schema).properties : [])].filter(
      ([name, { types }]) => types.has("boolean") && /stream/i.test(name),
    ),
  );
  const names = [...new Set(booleans.map(([name]) => name))];
  const toggle = names.includes("stream") || names.length > 1 ? "stream" : names[0];
  const found = booleans.find(([name]) => name === toggle);
  if (found === undefined) return undefined;
  const byDefault = found[1].schema.node["default"] === true;
  return { toggle: found[0], ...(byDefault && { byDefault }), ...lines };
}

/** The media type of the stream that a request with this body asks for; undefined if it asks for none. */
export function streamType(operation: Pick<Operation, "stream">, body: unknown): string | undefined {
  return wantsStream(operation, body) ? (operation.stream?.lines ?? "text/event-stream") : undefined;
}

/** Whether a request with this body asks for a stream. */
export function wantsStream({ stream }: Pick<Operation, "stream">, body: unknown): boolean {
  if (stream?.toggle === undefined) return stream !== undefined;
  const asked = isObject(body) ? body[stream.toggle] : undefined;
  return asked === true || (stream.byDefault === true && asked !== false);
}
