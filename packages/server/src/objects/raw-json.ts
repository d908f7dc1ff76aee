declare global {
  interface JSON {
    /** A value that is written as the given JSON text. (Of the language since 2025; not yet among the types.) */
    rawJSON(text: string): object;
  }
}

/** A JSON value that is written again exactly as it was, `1.0` as `1.0`. It can be written and not read. */
export function rawJson(text: string): object | string | number | boolean | null {
  return /^[[{]/.test(text.trimStart()) ? lazily(text) : JSON.rawJSON(text);
}

function lazily(text: string): object {
  // `rawJSON` takes no objects and arrays: their numbers are taken one by one.
  const value: object = JSON.parse(text, (_key: string, item: unknown, context?: { source?: string }) =>
    typeof item === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : item,
  );
  return value;
}
