/** One event of a stream: its data, and its type, empty where it names none. */
export interface ServerEvent {
  readonly data: string;
  readonly type: string;
}

/** Reads server-sent events out of bytes that come in any pieces, with any line ending. Holds no more than one event. */
export interface EventParser {
  /**
   * The events that these bytes complete.
   * @throws a plain `Error` for an event that is too large.
   */
  push(bytes: Uint8Array): ServerEvent[];
  /** The last event, where the stream ends without a blank line after it. */
  end(): ServerEvent[];
}

// The most that one event may hold, in characters: 8 Mi.
const largest = 8 * 1024 * 1024;

/** Makes a parser of one stream. */
export function eventParser(): EventParser {
  const decoder = new TextDecoder();
  // The line under way. Joined but never searched while it grows, so that single bytes cost no more than large pieces.
  let line = "";
  let data: string[] = [];
  let type = "";
  let size = 0;
  let skipNewline = false;

  const check = (more: number): void => {
    if (size + more > largest) throw new Error("An event of the stream holds more than 8 MiB.");
  };

  const take = (events: ServerEvent[]): void => {
    if (!line) {
      if (data.length) events.push({ data: data.join("\n"), type });
      data = [];
      type = "";
      size = 0;
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line[5] === " " ? 6 : 5));
      size += line.length;
      check(0);
    } else if (line === "data") data.push("");
    else if (line.startsWith("event:")) type = line.slice(6).trim();
    line = "";
  };

  const read = (text: string): ServerEvent[] => {
    const events: ServerEvent[] = [];
    let start = 0;
    if (skipNewline && text) {
      // The second half of a line ending that came in two pieces.
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
