/** Parses server-sent events, as far as examples need it. */

/** The data of each event, without comments. */
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

/** Whether the last event ends with a blank line. A client may drop one that does not. */
export function isEnded(text: string): boolean {
  return lines(text).endsWith("\n\n");
}

/** The text with one kind of line ending. */
function lines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
