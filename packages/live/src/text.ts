/** A value as a text: a text as it is, all else as JSON. Empty for nothing. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
