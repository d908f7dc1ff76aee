declare global {
  interface JSON {
    /** A value that is written as the given JSON text. (In the language since 2025, but not yet in the types.) */
    rawJSON(text: string): object;
  }
}

/** A JSON value that is written again exactly as it was, `1.0` as `1.0`. It can only be written, not read. */
export function rawJson(text: string): object | string | number | boolean | null {
  return /^[[{]/.test(text.trimStart()) ? lazily(text) : JSON.rawJSON(text);
}

function lazily(text: string): object {
  // `rawJSON` accepts no objects and arrays, so their numbers are wrapped one by one.
  const value: object = JSON.parse(text, (_key: string, item: unknown, context?: { source?: string }) =>
    typeof item === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : item,
  );
  return value;
}
