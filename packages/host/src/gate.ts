/** Counts the running requests, and signals when there are none. */
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

  /** Enters the gate. Returns a function that leaves it (once), or undefined if the limit is reached. */
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

  /** Resolves when no request is running. */
  idle(): Promise<void> {
    return this.#active === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }
}
