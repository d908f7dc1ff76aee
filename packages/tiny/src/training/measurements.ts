/** What an event `gradient_step` tells, by name. */
export type Measurements = Readonly<Record<string, number>>;

/** Counts the seconds that work takes. */
export class Stopwatch {
  #begun = performance.now();

  /** How many a second since the last call, or since the beginning. */
  rateOf(count: number): number {
    const now = performance.now();
    // A clock that counts in coarse steps may stand still.
    const seconds = Math.max(now - this.#begun, 0.01) / 1000;
    this.#begun = now;
    return count / seconds;
  }
}
