/** Counts the requests under way, and tells when there are none. */
export class Gate {
  readonly #limit: number;
  #active = 0;
  #idle: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get active(): number {
    return this.#active;
  }

  /** Takes a place. Gives what frees it (once), or undefined where all are taken. */
  enter(): (() => void) | undefined {
    if (this.#active >= this.#limit) return undefined;
    this.#active++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#active--;
      if (this.#active > 0) return;
      for (const resolve of this.#idle.splice(0)) resolve();
    };
  }

  /** Resolves as soon as no request is under way. */
  idle(): Promise<void> {
    return this.#active === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }
}
