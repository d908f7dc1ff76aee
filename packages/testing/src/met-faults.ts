/** Counts the faults that a suite met. A suite that never met its fault has tested nothing. */
export class MetFaults<Name extends string> {
  readonly #counts: Map<string, number>;

  /** @param names what the suite has to meet, such as `kill within a commit` */
  constructor(...names: readonly Name[]) {
    this.#counts = new Map(names.map((name) => [name, 0]));
  }

  met(name: Name): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /**
   * Prints how often each fault was met.
   * @throws Error if one was not
   */
  tell(): void {
    const told = [...this.#counts].map(([name, count]) => `${name}: ${count}`).join(", ");
    console.log(`Faults that happened: ${told}.`);
    if ([...this.#counts.values()].includes(0)) throw new Error(`A fault never happened: ${told}.`);
  }
}
