/** The measurements of an event `gradient_step`, by name. */
export type Measurements = Readonly<Record<string, number>>;

/** Measures the seconds that work takes. */
export class Stopwatch {
  #begun = performance.now();

  /** The rate per second since the last call, or since the start. */
  rateOf(count: number): number {
    const now = performance.now();
    // A coarse clock may show no progress.
    const seconds = Math.max(now - this.#begun, 0.01) / 1000;
    this.#begun = now;
    return count / seconds;
  }
}
