import { end, marks } from "./vocabulary.ts";

/** How many rows of weights there are. The first is always active. */
export const rowCount = 8192;
/** How many of them the base model uses; the others are empty in it, so that what they add to an answer was all learned. */
const baseRowCount = 5120;
/** The most rows that are active at one position. */
export const maxRows = 18;

/** How many tokens of an answer the base model chooses by the words of the message. */
const baseReach = 3;
/** How many words of the last message are used: the first ones and the last ones. */
const firstWords = 2;
const lastWords = 6;
/** The only punctuation mark that counts as a word. */
const questionMark = 63;

const start = 0x811c9dc5;

/** The kinds of features besides the answer so far. Two features of a kind with the same value share their row. */
const kinds = {
  prefix: 1,
  byte: 2,
  pair: 3,
  four: 4,
  word: 5,
  first: 6,
  exchange: 8,
  line: 9,
  whole: 10,
} as const;

/**
 * The features before a token of a conversation, as active rows of weights. It reads a conversation once, token by
 * token, in constant time per token.
 */
export class Context {
  /** The token of the current speaker; 0 between two messages. */
  #speaker = 0;
  #prefix = start;
  #length = 0;
  /** The last four bytes. */
  #tail = 0;
  /** A hash of everything up to the first message of a user. */
  #opening = start;
  #isOpen = false;
  /** A hash of everything after it. */
  #line = start;
  /** The last message that is not an answer, and the words of it that are used. */
  #last = start;
  #heard: readonly number[] = [];
  /** A hash of the last answer; 0 before the first one. */
  #answer = 0;
  #messageWords: number[] = [];
  #word = 0;

  /** Reads the next token. */
  push(token: number): void {
    if (this.#speaker === 0) this.#begin(token);
    else if (token === end) this.#finish();
    else {
      this.#prefix = Math.imul(this.#prefix ^ token, 0x01000193);
      this.#tail = (this.#tail << 8) | token;
      this.#length++;
      if (this.#speaker !== marks.assistant) this.#hear(token);
    }
  }

  /**
   * Writes the active rows, followed by -1 if there are fewer than `maxRows`. A row may occur twice.
   *
   * @returns how many rows there are
   */
  rows(out: Int32Array, offset = 0): number {
    let next = offset + this.baseRows(out, offset);
    if (this.#length >= baseReach) next = this.#words(out, next, false);
    const whole = rowOf(kinds.whole, this.#prefix, mix(this.#opening, this.#line), false);
    out[next++] = whole;
    // At the first turn, one row of its own is enough to tell a conversation from another with the same words. Each more
    // would learn by heart what the words, which other conversations share, could learn.
    if (this.#answer !== 0) {
      const line = rowOf(kinds.line, this.#prefix, this.#line, false);
      // The same words mean something else at another turn. Because the row occurs twice, what was said before is
      // learned four times as fast as what all turns share, and the next turn does not undo it.
      out[next++] = line;
      out[next++] = line;
      out[next++] = whole;
      out[next++] = rowOf(kinds.exchange, this.#prefix, mix(this.#answer, this.#last), false);
    }
    if (next < offset + maxRows) out[next] = -1;
    return next - offset;
  }

  /**
   * The active rows that the base model uses: those of the answer so far, and at its start those of single words of the last
   * message.
   *
   * @returns how many rows there are
   */
  baseRows(out: Int32Array, offset = 0): number {
    const prefix = this.#prefix;
    const length = this.#length;
    let next = offset;
    out[next++] = 0;
    // Learning about later turns does not change the first one.
    out[next++] = rowOf(kinds.prefix, prefix, this.#answer === 0 ? 0 : 1);
    // For shorter answers, this would be the same as the whole answer.
    if (length > 1) out[next++] = rowOf(kinds.byte, this.#tail & 0xff, 0);
    if (length > 2) out[next++] = rowOf(kinds.pair, this.#tail & 0xffff, 0);
    if (length > 4) out[next++] = rowOf(kinds.four, this.#tail, 0);
    if (length < baseReach) next = this.#words(out, next, true);
    if (next < offset + maxRows) out[next] = -1;
    return next - offset;
  }

  /** The rows of single words of the last message. */
  #words(out: Int32Array, offset: number, isBase: boolean): number {
    let next = offset;
    // The first word indicates the kind of question.
    if (this.#answer === 0) out[next++] = rowOf(kinds.first, this.#prefix, this.#heard[0] ?? 0, isBase);
    for (const word of this.#heard) out[next++] = rowOf(kinds.word, this.#prefix, word, isBase);
    return next;
  }

  #begin(mark: number): void {
    this.#speaker = mark;
    this.#prefix = start;
    this.#length = 0;
    this.#tail = 0;
  }

  #finish(): void {
    const message = mix(this.#prefix, this.#speaker);
    const isAnswer = this.#speaker === marks.assistant;
    if (this.#isOpen || isAnswer) this.#line = mix(this.#line, message);
    else this.#opening = mix(this.#opening, message);
    if (this.#speaker === marks.user) this.#isOpen = true;
    if (isAnswer) this.#answer = message;
    else {
      this.#endWord();
      const words = this.#messageWords;
      const isLong = words.length > firstWords + lastWords;
      const counted = isLong ? [...words.slice(0, firstWords), ...words.slice(-lastWords)] : words;
      this.#heard = [...new Set(counted)];
      this.#messageWords = [];
      this.#last = message;
    }
    this.#speaker = 0;
  }

  #hear(byte: number): void {
    const isCapital = byte >= 65 && byte <= 90;
    const isOfWord = isCapital || (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || byte >= 128;
    if (!isOfWord) this.#endWord();
    if (byte === questionMark) this.#messageWords.push(byte);
    if (!isOfWord) return;
    const letter = isCapital ? byte + 32 : byte;
    this.#word = Math.imul((this.#word === 0 ? start : this.#word) ^ letter, 0x01000193);
  }

  #endWord(): void {
    if (this.#word === 0) return;
    this.#messageWords.push(this.#word);
    this.#word = 0;
  }
}

function rowOf(kind: number, a: number, b: number, isBase = true): number {
  const hash = mix(mix(a, kind), b) >>> 0;
  return isBase ? 1 + (hash % (baseRowCount - 1)) : baseRowCount + (hash % (rowCount - baseRowCount));
}

/** Combines two numbers into one of 32 bits: the last steps of MurmurHash3. */
function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0xcc9e2d51), 0x1b873593) ^ b;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
