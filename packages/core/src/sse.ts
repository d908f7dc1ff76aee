/** One event of a stream: its data, and its type, which is empty if the event has none. */
export interface ServerEvent {
  readonly data: string;
  readonly type: string;
}

/** Parses server-sent events from chunks of any size, with any line ending. Holds at most one event in memory. */
export interface EventParser {
  /**
   * Returns the events that these bytes complete.
   * @throws if an event is too large.
   */
  push(bytes: Uint8Array): ServerEvent[];
  /** Returns the last event if the stream ends without a blank line after it. */
  end(): ServerEvent[];
}

// The maximum size of one event, in characters: 8 Mi.
const largest = 8 * 1024 * 1024;

/** Creates a parser for one stream. `fail` makes the error of a stream that has a fault. */
export function eventParser(fail = (fault: string): Error => new Error(`The stream ${fault}.`)): EventParser {
  const decoder = new TextDecoder();
  // The current line. It is joined but not searched while it grows, so that single bytes cost no more than large chunks.
  let line = "";
  let data: string | undefined;
  let type = "";
  let size = 0;
  let afterReturn = false;

  const check = (added: number): void => {
    if (size + added > largest) throw fail("has an event larger than 8 MiB");
  };

  const take = (events: ServerEvent[]): void => {
    if (!line) {
      if (data !== undefined) events.push({ data, type });
      data = undefined;
      type = "";
      size = 0;
    } else {
      // A field without a colon has an empty value.
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const start = field.length + 1;
      const value = line.slice(line[start] === " " ? start + 1 : start);
      if (field === "event") type = value;
      else if (field === "data") {
        data = data === undefined ? value : `${data}\n${value}`;
        size += line.length;
        check(0);
      }
    }
    line = "";
  };

  const read = (text: string): ServerEvent[] => {
    const events: ServerEvent[] = [];
    // The second half of a CR LF that was split between two chunks.
    const lines = text.slice(afterReturn && text[0] === "\n" ? 1 : 0).split(text.includes("\r") ? /\r\n?|\n/ : "\n");
    if (text) afterReturn = text.endsWith("\r");
    lines.forEach((part, index) => {
      if (index) take(events);
      line += part;
    });
    check(line.length);
    return events;
  };

  return {
    push: (bytes) => read(decoder.decode(bytes, { stream: true })),
    end: () => read(`${decoder.decode()}\n\n`),
  };
}
