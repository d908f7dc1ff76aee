/** One event of a stream: its data, and its type, which is empty if the event has none. */
export interface ServerEvent {
  readonly data: string;
  readonly type: string;
}

/** Parses server-sent events from chunks of any size, with any line ending. Holds at most one event in memory. */
export interface EventParser {
  /**
   * Returns the events that these bytes complete.
   * @throws a plain `Error` if an event is too large.
   */
  push(bytes: Uint8Array): ServerEvent[];
  /** Returns the last event if the stream ends without a blank line after it. */
  end(): ServerEvent[];
}

// The maximum size of one event, in characters: 8 Mi.
const largest = 8 * 1024 * 1024;

/** Creates a parser for one stream. */
export function eventParser(): EventParser {
  const decoder = new TextDecoder();
  // The current line. It is joined but not searched while it grows, so that single bytes cost no more than large chunks.
  let line = "";
  let data: string[] = [];
  let type = "";
  let size = 0;
  let skipNewline = false;

  const check = (added: number): void => {
    if (size + added > largest) throw new Error("An event of the stream is larger than 8 MiB.");
  };

  const take = (events: ServerEvent[]): void => {
    if (!line) {
      if (data.length) events.push({ data: data.join("\n"), type });
      data = [];
      type = "";
      size = 0;
    } else {
      // A field without a colon has an empty value.
      const [field = ""] = line.split(":", 1);
      const value = line.slice(field.length + 1).replace(/^ /, "");
      if (field === "event") type = value;
      else if (field === "data") {
        data.push(value);
        size += line.length;
        check(0);
      }
    }
    line = "";
  };

  const read = (text: string): ServerEvent[] => {
    const events: ServerEvent[] = [];
    let start = 0;
    if (skipNewline && text) {
      // The second half of a CR LF that was split between two chunks.
      if (text[0] === "\n") start = 1;
      skipNewline = false;
    }
    let lf = text.indexOf("\n", start);
    let cr = text.indexOf("\r", start);
    while (lf >= 0 || cr >= 0) {
      const end = cr < 0 || (lf >= 0 && lf < cr) ? lf : cr;
      line += text.slice(start, end);
      take(events);
      start = end + 1;
      if (end === cr) {
        if (lf === start) start++;
        else skipNewline = start === text.length;
        cr = text.indexOf("\r", start);
      }
      if (lf >= 0 && lf < start) lf = text.indexOf("\n", start);
    }
    line += text.slice(start);
    check(line.length);
    return events;
  };

  return {
    push: (bytes) => read(decoder.decode(bytes, { stream: true })),
    end: () => read(`${decoder.decode()}\n\n`),
  };
}
