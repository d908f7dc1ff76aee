/** Detects the sequences that end an answer, and holds back what may be the beginning of one. */
export class StopWatch<Token> {
  readonly #stops: readonly Uint8Array[];
  #bytes: number[] = [];
  #held: Token[] = [];

  constructor(stops: readonly string[]) {
    const encoder = new TextEncoder();
    const encoded = stops.filter((stop) => stop !== "").map((stop) => encoder.encode(stop));
    // If two end at the same position, the longer one started first.
    this.#stops = encoded.sort((a, b) => b.length - a.length);
  }

  /**
   * Reads a token of one byte. Returns the tokens that certainly belong to the answer, and whether the answer ends
   * here.
   */
  push(token: Token, byte: number): { readonly sure: Token[]; readonly isStop: boolean } {
    if (this.#stops.length === 0) return { sure: [token], isStop: false };
    this.#bytes.push(byte);
    this.#held.push(token);
    const stop = this.#stops.find((stop) => this.#endsWith(stop, stop.length));
    if (stop !== undefined) return { sure: this.#held.slice(0, this.#held.length - stop.length), isStop: true };
    const longest = Math.max(...this.#stops.map((stop) => this.#begun(stop)));
    this.#bytes = this.#bytes.slice(this.#bytes.length - longest);
    return { sure: this.#held.splice(0, this.#held.length - longest), isStop: false };
  }

  /** The tokens that are still held back, once they cannot become a stop sequence any more. */
  rest(): Token[] {
    return this.#held;
  }

  /** How many bytes at the end are the beginning of a stop sequence. */
  #begun(stop: Uint8Array): number {
    let length = Math.min(stop.length - 1, this.#bytes.length);
    while (length > 0 && !this.#endsWith(stop, length)) length--;
    return length;
  }

  #endsWith(stop: Uint8Array, length: number): boolean {
    const from = this.#bytes.length - length;
    if (from < 0) return false;
    for (let index = 0; index < length; index++) if (this.#bytes[from + index] !== stop[index]) return false;
    return true;
  }
}
