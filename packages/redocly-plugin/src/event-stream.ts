/** Reads the wire format of server-sent events, as far as an example needs it. */

/** The data of each event, comments left out. */
export function eventsOf(text: string): string[] {
  return lines(text)
    .split(/\n{2,}/)
    .map((frame) =>
      frame
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length).replace(/^ /, ""))
        .join("\n"),
    )
    .filter((data) => data !== "");
}

/** Whether the last event is ended by a blank line; a reader may drop one that is not. */
export function isEnded(text: string): boolean {
  return lines(text).endsWith("\n\n");
}

/** The text with one kind of line ending. */
function lines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
