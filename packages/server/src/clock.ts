/** 9999-12-31T23:59:59.999Z. Later times need more than four digits of a year, so the clock stops here. */
const last = 253_402_300_799_999;

/** The time of a server: the machine's, unless it was set. */
export class Clock {
  #offset = 0;
  #frozen: number | undefined;

  /** Milliseconds since 1970. */
  readonly now = (): number => Math.min(this.#frozen ?? Date.now() + this.#offset, last);

  /**
   * Sets the time. The clock continues from there.
   *
   * @param now in milliseconds; undefined for the machine's own time
   * @param frozen whether the clock stands still
   */
  set(now: number | undefined, frozen = false): void {
    this.#offset = now === undefined ? 0 : now - Date.now();
    this.#frozen = frozen ? (now ?? Date.now()) : undefined;
  }
}
