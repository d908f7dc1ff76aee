/** 9999-12-31T23:59:59.999Z: what follows cannot be written with four digits of a year, and the clock stands still. */
const last = 253_402_300_799_999;

/** The time that a server goes by: the machine's, unless it was set. */
export class Clock {
  #offset = 0;
  #frozen: number | undefined;

  /** Milliseconds since 1970. */
  readonly now = (): number => Math.min(this.#frozen ?? Date.now() + this.#offset, last);

  /**
   * Sets the time, from which it goes on.
   *
   * @param now in milliseconds; undefined for the machine's own time
   * @param frozen whether it stands still instead
   */
  set(now: number | undefined, frozen = false): void {
    this.#offset = now === undefined ? 0 : now - Date.now();
    this.#frozen = frozen ? (now ?? Date.now()) : undefined;
  }
}
