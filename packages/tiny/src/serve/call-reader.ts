/** A new piece of a tool call: its beginning, or a part of its arguments. */
export interface CallPiece {
  readonly name: string;
  readonly begins?: { readonly id: string; readonly name: string };
  readonly arguments?: string;
}

/** Reads a tool call as the model writes it, `name(arguments)`, character by character. */
export class CallReader {
  #name = "";
  #isNamed = false;
  /** The last character. It belongs to the arguments only if more follows, because the call ends with a parenthesis. */
  #held = "";
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** Whether the arguments have ended. */
  isWhole = false;

  /** @returns the piece that a text adds, if any */
  push(text: string): CallPiece | undefined {
    if (text === "" || this.isWhole) return undefined;
    if (!this.#isNamed) {
      if (text !== "(") {
        this.#name += text;
        return undefined;
      }
      this.#isNamed = true;
      return {
        name: this.#name,
        begins: { id: `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`, name: this.#name },
      };
    }
    if (this.#depth === 0 && this.#held !== "" && text === ")") {
      this.isWhole = true;
      return undefined;
    }
    this.#held = text;
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isText && text === "\\") this.#isEscaped = true;
    else if (text === '"') this.#isText = !this.#isText;
    else if (!this.#isText && text === "{") this.#depth++;
    else if (!this.#isText && text === "}") this.#depth--;
    return { name: this.#name, arguments: text };
  }
}
