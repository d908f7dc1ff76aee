/** The time that a server goes by: the machine's, unless it was set. */
export class Clock {
  #offset = 0;
  #frozen: number | undefined;

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#frozen ?? Date.now() + this.#offset;

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
