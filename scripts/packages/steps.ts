/** Thrown where something cannot be had on this machine: its step counts as skipped, not as failed, and never as passed. */
export class Unavailable extends Error {
  override name = "Unavailable";
}

/** Steps, one after the other, each reported as it ends. One that fails does not keep those after it from their turn. */
export class Steps {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  /** Takes one step. `undefined` where it did not pass. */
  async take<Result>(
    what: string,
    work: () => Result | Promise<Result>,
  ): Promise<{ readonly value: Result } | undefined> {
    const start = performance.now();
    try {
      const value = await work();
      this.#passed++;
      console.log(`✓ ${what.padEnd(64)} ${((performance.now() - start) / 1000).toFixed(1).padStart(5)} s`);
      return { value };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof Unavailable) {
        this.skip(what, message);
      } else {
        this.#failed++;
        console.error(`✗ ${what}\n${message.replaceAll(/^/gm, "    ")}`);
      }
      return undefined;
    }
  }

  /** Says what is not tried, and why. */
  skip(what: string, why: string): void {
    this.#skipped++;
    console.log(`· ${what}: skipped. ${why}`);
  }

  /** The last line, and the exit code. */
  close(): void {
    console.log(`\n${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped`);
    process.exitCode = this.#failed > 0 ? 1 : 0;
  }
}
