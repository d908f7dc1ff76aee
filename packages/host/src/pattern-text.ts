/** A text that matches a regular expression of common syntax; undefined if none was found. */
export function patternText(pattern: string, isFitting: (text: string) => boolean = () => true): string | undefined {
  const matches = regExpOf(pattern, "u") ?? regExpOf(pattern, "");
  if (matches === undefined) return undefined;
  // Whatever may be repeated is repeated as often, so that a text gets the least length that its schema wants.
  for (const times of [1, 0, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64]) {
    const text = new Pattern(pattern, times).text();
    if (matches.test(text) && isFitting(text)) return text;
  }
  return undefined;
}

/** Undefined if the source is not valid. Other people write escapes that the flag `u` forbids. */
function regExpOf(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

const letters = "a1A-_ .:/@#+,";
const all = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");

/** Reads a pattern from left to right, and writes the first text that each part permits. */
class Pattern {
  readonly #source: string;
  readonly #times: number;
  #at = 0;

  constructor(source: string, times: number) {
    this.#source = source;
    this.#times = times;
  }

  /** The text of the first branch, to the end of a group. */
  text(): string {
    let text = "";
    let isFirst = true;
    for (let char = this.#next(); char !== undefined && char !== ")"; char = this.#next()) {
      if (char === "|") isFirst = false;
      const part = this.#repeated(this.#part(char));
      if (isFirst) text += part;
    }
    return text;
  }

  #next(): string | undefined {
    return this.#source[this.#at++];
  }

  #part(char: string): string {
    if (char === "(") {
      const [open = ""] = /^(\?(<?[=!]|:|<\w+>))?/.exec(this.#source.slice(this.#at)) ?? [];
      this.#at += open.length;
      const text = this.text();
      // What only looks at the text adds nothing to it.
      return /^\?<?[=!]/.test(open) ? "" : text;
    }
    if (char === "[") return this.#oneOf("[");
    if (char === "\\") return this.#oneOf("\\");
    if (char === ".") return "a";
    return "^$|".includes(char) ? "" : char;
  }

  /** The first printable character of a class or an escape. */
  #oneOf(open: string): string {
    const rest = this.#source.slice(this.#at - 1);
    const [source = open] =
      (open === "[" ? /^\[\^?\]?(\\.|[^\]\\])*\]/ : /^\\(u\{?\w{4}\}?|x\w\w|[pP]\{\w+\}|.)/).exec(rest) ?? [];
    this.#at += source.length - 1;
    if (/^\\[bB]$/.test(source)) return "";
    const one = regExpOf(`^${source}$`, "u") ?? regExpOf(`^${source}$`, "");
    return Array.from(letters + all).find((char) => one?.test(char)) ?? "";
  }

  #repeated(text: string): string {
    const [source = "", sign, least = "", comma, most] =
      /^(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += source.length;
    if (source === "") return text;
    const low = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
    const high = sign === "?" ? 1 : sign === undefined && comma === undefined ? low : Number(most ?? Infinity);
    return text.repeat(Math.min(high, Math.max(low, this.#times)));
  }
}
