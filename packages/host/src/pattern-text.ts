/** A text that matches a regular expression of common syntax; undefined if none was found. */
export function patternText(pattern: string, isFitting: (text: string) => boolean = () => true): string | undefined {
  const matches = regExpOf(pattern, "u") ?? regExpOf(pattern, "");
  if (matches === undefined) return undefined;
  return patternTexts(pattern).find((text) => matches.test(text) && isFitting(text));
}

/**
 * Texts that a pattern probably matches. The pattern is read once for each, and not compiled.
 *
 * Whatever may be repeated is repeated as often, so that a text gets the least length that its schema wants.
 */
export function patternTexts(pattern: string): string[] {
  return [1, 0, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64].map((times) => new Pattern(pattern, times).text());
}

/** Undefined if the source is not valid. Other people write escapes that the flag `u` forbids. */
function regExpOf(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** The printable characters, the most usual ones first. */
const all = Array.from(`a1A-_ .:/@#+,${String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))}`);
/** The longest text. */
const longest = 1000;
/** The most groups within each other. */
const deepest = 100;

const only = (set: RegExp) => all.filter((char) => set.test(char));
const [upper, letters, digits] = [only(/[A-Z]/), only(/[a-z]/i), only(/\d/)];
/** What an escape stands for, if it is not the character itself. */
const escapes: Readonly<Record<string, readonly string[]>> = {
  d: digits,
  D: only(/\D/),
  s: only(/\s/),
  S: only(/\S/),
  w: only(/\w/),
  W: only(/\W/),
  b: [],
  B: [],
  n: ["\n"],
  r: ["\r"],
  t: ["\t"],
};

/** Reads a pattern from left to right, and writes the first text that each part permits. */
class Pattern {
  readonly #source: string;
  readonly #times: number;
  #at = 0;
  #depth = 0;

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
      if (isFirst) text = `${text}${part}`.slice(0, longest);
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
      // A deeper group is read as if it had no parentheses.
      if (this.#depth >= deepest) return "";
      this.#depth++;
      const text = this.text();
      this.#depth--;
      // What only looks at the text adds nothing to it.
      return /^\?<?[=!]/.test(open) ? "" : text;
    }
    if (char === "[") return this.#class();
    if (char === "\\") return this.#escape()[0] ?? "";
    if (char === ".") return "a";
    return "^$|".includes(char) ? "" : char;
  }

  /** The characters that an escape permits, after its backslash. A boundary permits none. */
  #escape(): readonly string[] {
    const rest = this.#source.slice(this.#at, this.#at + 40);
    const [source = "", property, ...codes] =
      /^(?:[pP]\{(\w+)[^}]*\}|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|[^])/i.exec(rest) ?? [];
    this.#at += source.length;
    const code = codes.find((one) => one !== undefined);
    if (code !== undefined) return [String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff))];
    if (property !== undefined) {
      const set = /^Lu|Uppercase/.test(property) ? upper : property.startsWith("N") ? digits : letters;
      return source.startsWith("P") ? all.filter((char) => !set.includes(char)) : set;
    }
    return escapes[source] ?? [source];
  }

  /** The most usual character of a class. */
  #class(): string {
    const isNegated = this.#source[this.#at] === "^";
    if (isNegated) this.#at++;
    const ranges: [from: string, to: string][] = [];
    for (let char = this.#next(); char !== undefined && char !== "]"; char = this.#next()) {
      const [from = "", ...others] = char === "\\" ? this.#escape() : [char];
      const isRange = others.length === 0 && /^-[^\]]/.test(this.#source.slice(this.#at, this.#at + 2));
      if (isRange) this.#at++;
      const end = isRange ? this.#next() : from;
      ranges.push([from, end === "\\" ? (this.#escape()[0] ?? "") : (end ?? "")]);
      for (const other of others) ranges.push([other, other]);
    }
    const isIn = (char: string) => ranges.some(([from, to]) => from <= char && char <= to);
    return all.find((char) => isIn(char) !== isNegated) ?? (isNegated ? "" : (ranges[0]?.[0] ?? ""));
  }

  #repeated(text: string): string {
    const [source = "", sign, least = "", comma, limit] =
      /^(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += source.length;
    if (source === "") return text;
    const low = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
    const high = sign === "?" ? 1 : sign === undefined && comma === undefined ? low : Number(limit ?? Infinity);
    const most = Math.ceil(longest / Math.max(1, text.length));
    return text.repeat(Math.min(high, most, Math.max(low, this.#times)));
  }
}
