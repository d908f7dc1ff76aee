/** A value as text: a string unchanged, everything else as JSON. Empty for undefined. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The start of a text. */
export function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
