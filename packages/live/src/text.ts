import { nearest } from "@trainyard/document";

/** A value as text: a string unchanged, everything else as JSON. Empty for undefined. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The start of a text. */
export function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** A name in lower case without separators: `create_rl`, `createRl` and `create-rl` are considered equal. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]/g, "");
}

/** The question for the name that was probably meant: ` Did you mean models.list?`. Undefined if none is similar. */
export function didYouMean(written: string, names: Iterable<string>, mark = ""): string | undefined {
  const byPlain = new Map([...names].map((name) => [plainName(name), name]));
  const meant = byPlain.get(nearest(plainName(written), byPlain.keys()) ?? "");
  return meant && ` Did you mean ${mark}${meant}?`;
}

/** A text as JSON; undefined if it is not JSON. */
export function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
