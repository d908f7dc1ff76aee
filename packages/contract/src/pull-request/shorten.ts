/** GitHub accepts comments of up to 65,536 characters. */
const longest = 60_000;

/** Shortens a report between two lines if it is too long for a comment, with a link to the rest: `run`. */
export function shorten(markdown: string, run: string): string {
  if (markdown.length <= longest) return markdown;
  const kept = markdown.slice(0, markdown.lastIndexOf("\n", longest));
  const open = kept.split("<details>").length - kept.split("</details>").length;
  const rest = `The rest is in the [summary of the run](${run}).`;
  return `${kept}\n${"\n</details>\n".repeat(Math.max(0, open))}\n${rest}\n`;
}
