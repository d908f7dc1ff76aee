import { either, literal, oneOf, repeat, sequence, type Form } from "./form.ts";

/** The most repetitions beyond the required ones. */
const slack = 8;

/** A part of a pattern that forms do not support. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** The characters that need no escape in a JSON string. */
export const plainCharacters: ReadonlySet<number> = setOf((byte) => byte !== 0x22 && byte !== 0x5c);

/**
 * A text that a regular expression matches, as it is written within the quotes of a JSON string.
 *
 * @throws PatternError if the pattern uses what forms do not support: assertions, references, flags
 */
export function patternForm(pattern: string): Form {
  return new Parser(pattern).read();
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(pattern: string) {
    this.#text = pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
  }

  read(): Form {
    const form = this.#either();
    if (this.#at < this.#text.length) throw this.#unknown();
    return form;
  }

  #either(): Form {
    const forms = [this.#sequence()];
    while (this.#take("|")) forms.push(this.#sequence());
    return either(forms);
  }

  #sequence(): Form {
    const parts: Form[] = [];
    while (this.#at < this.#text.length && !"|)".includes(this.#text[this.#at] ?? "")) parts.push(this.#repeated());
    return sequence(...parts);
  }

  #repeated(): Form {
    const form = this.#atom();
    const [all, low, comma, high] = /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at)) ?? [];
    if (all !== undefined) {
      this.#at += all.length;
      const least = Number(low);
      const most = comma === "" ? least : high === "" ? least + slack : Number(high);
      this.#take("?");
      return repeat(form, least, Math.min(most, least + slack));
    }
    const range = this.#take("*") ? [0, slack] : this.#take("+") ? [1, slack] : this.#take("?") ? [0, 1] : undefined;
    if (range === undefined) return form;
    this.#take("?");
    return repeat(form, range[0] ?? 0, range[1] ?? 1);
  }

  #atom(): Form {
    if (this.#take("(")) {
      if (this.#text[this.#at] === "?" && !this.#take("?:")) throw this.#unknown();
      const form = this.#either();
      if (!this.#take(")")) throw this.#unknown();
      return form;
    }
    if (this.#take("[")) return allowed(this.#set());
    if (this.#take(".")) return oneOf(plainCharacters);
    const character = this.#text[this.#at] ?? "";
    if ("^$*+?{".includes(character)) throw this.#unknown();
    if (character === "\\") return this.#escaped();
    this.#at++;
    return literal(JSON.stringify(character).slice(1, -1));
  }

  #escaped(): Form {
    const set = this.#class();
    return set.size === 1 ? literal(JSON.stringify(String.fromCharCode(...set)).slice(1, -1)) : allowed(set);
  }

  /** A class such as `\d`, or a character that is escaped. */
  #class(): Set<number> {
    const letter = this.#text[this.#at + 1] ?? "";
    this.#at += 2;
    const pattern = classes[letter.toLowerCase()];
    if (pattern !== undefined)
      return setOf((byte) => pattern.test(String.fromCharCode(byte)) === (letter === letter.toLowerCase()));
    if (/[\w]/.test(letter) || letter === "") throw this.#unknown();
    return new Set([letter.charCodeAt(0)]);
  }

  #set(): Set<number> {
    const isNegative = this.#take("^");
    const members = new Set<number>();
    while (!this.#take("]")) {
      if (this.#at >= this.#text.length) throw this.#unknown();
      const from = this.#member();
      const [first] = from;
      if (from.size === 1 && first !== undefined && /^-[^\]]/.test(this.#text.slice(this.#at))) {
        this.#at++;
        const [last = first] = this.#member();
        for (let byte = first; byte <= last; byte++) members.add(byte);
      } else for (const byte of from) members.add(byte);
    }
    return isNegative ? setOf((byte) => !members.has(byte)) : members;
  }

  #member(): Set<number> {
    if (this.#text[this.#at] === "\\") return this.#class();
    return new Set([this.#text.charCodeAt(this.#at++)]);
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #unknown(): PatternError {
    return new PatternError(`the pattern ${this.#text} has at character ${this.#at} what this model cannot follow`);
  }
}

const classes: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: / / };

/** Keeps only the characters that need no escape in a JSON string. */
function allowed(set: ReadonlySet<number>): Form {
  const plain = new Set([...set].filter((byte) => plainCharacters.has(byte)));
  if (plain.size === 0) throw new PatternError("a set of the pattern has no character that this model can write");
  return oneOf(plain);
}

function setOf(has: (byte: number) => boolean): Set<number> {
  return new Set(Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index).filter(has));
}
