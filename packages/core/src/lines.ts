import type { EventParser, ServerEvent } from "./sse.ts";

/** Splits lines of JSON: NDJSON, JSON Lines, JSON text sequences. */
export function lineParser(): EventParser {
  const decoder = new TextDecoder();
  let rest = "";
  const eventsOf = (lines: readonly string[]): ServerEvent[] =>
    // A record of a text sequence begins with the control character RS.
    lines.map((line) => line.replaceAll("\u001e", "").trim()).flatMap((data) => (data ? { data, type: "" } : []));
  return {
    push: (bytes) => {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      return eventsOf(lines);
    },
    end: () => eventsOf([rest + decoder.decode()]),
  };
}
