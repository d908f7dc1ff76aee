import { createRequire } from "node:module";
import { createContext, Script, type Context } from "node:vm";
import type * as Re2 from "re2js";

const require: NodeJS.Require = createRequire(import.meta.url);

/** Compares texts with a pattern. */
export interface Matcher {
  test(text: string): boolean;
  /** Different for each pattern. */
  toString(): string;
}

/** How long a text is compared with a pattern that RE2 does not know, in milliseconds. */
const limitMs = 100;

/**
 * Compares texts with a pattern of somebody else's document, so that no text can stop the process. JavaScript's own engine tries all
 * ways to divide a text between the repetitions of a pattern: 35 characters can take it minutes. It judges what has no choice,
 * because it is the fastest; RE2 judges everything else in linear time. What RE2 does not know, such as a lookahead, has 100 ms,
 * and a text that takes longer counts as one that does not match.
 *
 * @throws SyntaxError if the pattern is invalid
 */
export function matcherOf(pattern: string, flags: string): Matcher {
  const native = new RegExp(pattern, flags);
  const outline = pattern.replaceAll(escapeOrClass, "x").replaceAll("(?", "(");
  const repeats = outline.match(/[*+?]|\{\d+,|\)\{/g)?.length ?? 0;
  const hasNoChoice = repeats === 0 || (repeats === 1 && outline.startsWith("^") && !outline.includes("|"));
  // Texts of so few characters are compared soon enough in all ways.
  const few = /\)[*+{]/.test(outline) ? 12 : 64;
  return hasNoChoice ? native : (linear(pattern) ?? limited(native, few));
}

const escapeOrClass = /\\[^]|\[(?:\\[^]|[^\]\\])*\]/g;

/** Undefined for a pattern that RE2 does not know. */
function linear(pattern: string): Matcher | undefined {
  const { RE2JS } = require("re2js") as typeof Re2;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(withUnicodeSpaces(pattern)));
  } catch {
    return undefined;
  }
}

const spaces = String.raw`\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const others = String.raw`\x00-\x08\x0e-\x1f!-\u009f\u00a1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\u{10ffff}`;

/** RE2 knows the spaces and the line end of ASCII alone. */
function withUnicodeSpaces(pattern: string): string {
  const inClass = (part: string) => part.replaceAll(/\\[^]/g, (one) => ({ "\\s": spaces, "\\S": others })[one] ?? one);
  return pattern.replaceAll(new RegExp(`${escapeOrClass.source}|\\.`, "g"), (part) => {
    if (part === ".") return String.raw`[^\n\r\u2028\u2029]`;
    return part === "\\s" || part === "\\S" ? `[${inClass(part)}]` : part.startsWith("[") ? inClass(part) : part;
  });
}

/** Made with the first text, because most documents need none. */
let context: Context | undefined;
const comparison = new Script("pattern.test(text)");

function limited(pattern: RegExp, few: number): Matcher {
  return {
    toString: () => String(pattern),
    test(text) {
      if (text.length <= few) return pattern.test(text);
      try {
        context = Object.assign((context ??= createContext()), { pattern, text });
        return comparison.runInContext(context, { timeout: limitMs }) === true;
      } catch {
        return false;
      }
    },
  };
}
