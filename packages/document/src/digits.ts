/**
 * Numbers as they are written. `JSON.parse` of Node 20 gives no access to their text, and no double has more than 17 digits.
 *
 * @module
 */

/** Changes the numbers of JSON that are not within a text. No token is a whole text, which may be too long for an expression. */
function eachNumber(text: string, change: (digits: string) => string): string {
  let isText = false;
  return text.replaceAll(/"|\\[^]|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') isText = !isText;
    return isText || /^["\\]/.test(token) ? token : change(token);
  });
}

/** What stands before the digits of a number in a text of JSON that would change them. No other text has it. */
const mark = `digits${[1, 2].map(() => Math.random().toString(36).slice(2)).join("")}of`;
const marks = new RegExp(`(\\\\?")${mark}([^"\\\\]*)\\1|${mark}`, "g");

/** JSON, or text with JSON in it, in which each number that would change, such as 9007199254740993 or 1.0, is a marked text. */
export function marked(text: string): string {
  return eachNumber(text, (digits) => (String(Number(digits)) === digits ? digits : `"${mark}${digits}"`));
}

/** A text without marks: its numbers are as they were. */
export function unmarked(text: string): string {
  return text.includes(mark) ? text.replaceAll(marks, (_, _quote, digits: string = "") => digits) : text;
}

/** Integers beyond 2^53 of the documents that were read, by the number that JavaScript makes of them. */
const integers = new Map<number, string>();

/** Remembers the integers of a document. Of two that are one number, the last counts. */
export function keepIntegers(text: string): void {
  for (const [digits] of text.matchAll(/-?\d{16,}/g))
    if (!Number.isSafeInteger(Number(digits))) integers.set(Number(digits), digits);
}

/** `JSON.stringify`, which writes the integers of documents as the documents do. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (integers.size === 0 || !/\d{16}|\de\+/.test(text)) return text;
  return eachNumber(text, (digits) => integers.get(Number(digits)) ?? digits);
}
