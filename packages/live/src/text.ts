/** A value as text: a string unchanged, everything else as JSON. Empty for undefined. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
