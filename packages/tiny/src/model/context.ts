import { end, marks } from "./vocabulary.ts";

/** How many rows of weights there are. The first is active everywhere. */
export const rowCount = 8192;
/** The most rows that stand for one place. */
export const maxRows = 16;

/** How many words of the last message count: the first ones and the last ones. */
const firstWords = 2;
const lastWords = 6;
/** Words of the last message decide how an answer begins; what it goes on with depends on what it said. */
const reachOfWords = 3;
/** The one mark that counts as a word. */
const questionMark = 63;

const start = 0x811c9dc5;

/** What a row stands for, besides the answer so far. Two of a kind with the same value share their row. */
const kinds = {
  said: 1,
  byte: 2,
  pair: 3,
  four: 4,
  word: 5,
  first: 6,
  last: 7,
  exchange: 8,
  line: 9,
  whole: 10,
} as const;

/**
 * What precedes a token of a conversation, as the rows of weights that stand for it. It reads a conversation once, token
 * by token, and a token takes the same time however long the conversation is.
 */
export class Context {
  /** The mark of who speaks; 0 between two messages. */
  #speaker = 0;
  #said = start;
  #length = 0;
  /** The last four bytes. */
  #tail = 0;
  /** Everything up to the first message of a user. */
  #opening = start;
  #isOpen = false;
  /** Everything after it. */
  #line = start;
  /** The last message that is no answer, and what counts of its words. */
  #last = start;
  #heard: readonly number[] = [];
  /** The last answer; 0 before there is one. */
  #answer = 0;
  #words: number[] = [];
  #word = 0;

  /** Reads the next token. */
  push(token: number): void {
    if (this.#speaker === 0) this.#begin(token);
    else if (token === end) this.#finish();
    else {
      this.#said = Math.imul(this.#said ^ token, 0x01000193);
      this.#tail = (this.#tail << 8) | token;
      this.#length++;
      if (this.#speaker !== marks.assistant) this.#hear(token);
    }
  }

  /**
   * Writes the rows that stand for what was read, and -1 behind them where they are fewer than `maxRows`. A row may stand
   * there twice.
   *
   * @returns how many they are
   */
  rows(out: Int32Array, offset = 0): number {
    let next = offset + this.generalRows(out, offset);
    const line = rowOf(kinds.line, this.#said, this.#line);
    const whole = rowOf(kinds.whole, this.#said, mix(this.#opening, this.#line));
    out[next++] = line;
    out[next++] = whole;
    if (this.#answer === 0) out[next++] = rowOf(kinds.last, this.#said, this.#last);
    else {
      // The same words mean another thing at another turn. Standing twice, what was said before is learned four times
      // as fast as what all turns share, and a turn is not undone by the next one.
      out[next++] = line;
      out[next++] = whole;
      out[next++] = rowOf(kinds.exchange, this.#said, mix(this.#answer, this.#last));
    }
    if (next < offset + maxRows) out[next] = -1;
    return next - offset;
  }

  /**
   * The rows among them that many conversations share: those of the answer so far, and of single words of the last
   * message. The others stand for one message or conversation alone.
   *
   * @returns how many they are
   */
  generalRows(out: Int32Array, offset = 0): number {
    const said = this.#said;
    const length = this.#length;
    let next = offset;
    out[next++] = 0;
    // What is learned for later turns leaves the first one as it is.
    out[next++] = rowOf(kinds.said, said, this.#answer === 0 ? 0 : 1);
    // Shorter ones would say the same as the whole answer.
    if (length > 1) out[next++] = rowOf(kinds.byte, this.#tail & 0xff, 0);
    if (length > 2) out[next++] = rowOf(kinds.pair, this.#tail & 0xffff, 0);
    if (length > 4) out[next++] = rowOf(kinds.four, this.#tail, 0);
    if (length < reachOfWords) {
      // The first word says what kind of question it is.
      if (this.#answer === 0) out[next++] = rowOf(kinds.first, said, this.#heard[0] ?? 0);
      for (const word of this.#heard) out[next++] = rowOf(kinds.word, said, word);
    }
    if (next < offset + maxRows) out[next] = -1;
    return next - offset;
  }

  #begin(mark: number): void {
    this.#speaker = mark;
    this.#said = start;
    this.#length = 0;
    this.#tail = 0;
  }

  #finish(): void {
    const message = mix(this.#said, this.#speaker);
    const isAnswer = this.#speaker === marks.assistant;
    if (this.#isOpen || isAnswer) this.#line = mix(this.#line, message);
    else this.#opening = mix(this.#opening, message);
    if (this.#speaker === marks.user) this.#isOpen = true;
    if (isAnswer) this.#answer = message;
    else {
      this.#endWord();
      const words = this.#words;
      const isLong = words.length > firstWords + lastWords;
      const counted = isLong ? [...words.slice(0, firstWords), ...words.slice(-lastWords)] : words;
      this.#heard = [...new Set(counted)];
      this.#words = [];
      this.#last = message;
    }
    this.#speaker = 0;
  }

  #hear(byte: number): void {
    const isCapital = byte >= 65 && byte <= 90;
    const isOfWord = isCapital || (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || byte >= 128;
    if (!isOfWord) this.#endWord();
    if (byte === questionMark) this.#words.push(byte);
    if (!isOfWord) return;
    const letter = isCapital ? byte + 32 : byte;
    this.#word = Math.imul((this.#word === 0 ? start : this.#word) ^ letter, 0x01000193);
  }

  #endWord(): void {
    if (this.#word === 0) return;
    this.#words.push(this.#word);
    this.#word = 0;
  }
}

function rowOf(kind: number, a: number, b: number): number {
  return 1 + ((mix(mix(a, kind), b) >>> 0) % (rowCount - 1));
}

/** One number of 32 bits for two: the last steps of MurmurHash3. */
function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0xcc9e2d51), 0x1b873593) ^ b;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
