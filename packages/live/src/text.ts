import { jsonText } from "@trainyard/document";

/** A value as text: a string unchanged, everything else as JSON. Empty for undefined. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : jsonText(value);
}

export function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** A text as JSON; undefined if it is not JSON. */
export function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
