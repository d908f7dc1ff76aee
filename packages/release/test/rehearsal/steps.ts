import { setImmediate } from "node:timers/promises";
import { Unavailable } from "../../src/lib/npm.ts";

/** Steps that run one after the other, each reported at its end. A failed step does not stop the later ones. */
export class Steps {
  #passed = 0;
  #failed: string[] = [];
  #skipped = 0;
  readonly #start = performance.now();

  /** Runs one step. `undefined` if it did not pass. */
  async take<Result>(
    what: string,
    work: () => Result | Promise<Result>,
  ): Promise<{ readonly value: Result } | undefined> {
    // Steps may block this process, which can only handle signals between them.
    await setImmediate();
    const start = performance.now();
    try {
      const value = await work();
      this.#passed++;
      console.log(`✓ ${what.padEnd(64)} ${seconds(start).padStart(7)}`);
      return { value };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof Unavailable) {
        this.skip(what, message);
      } else {
        this.#failed.push(what);
        console.error(`✗ ${what}\n${message.replaceAll(/^/gm, "    ")}`);
      }
      return undefined;
    }
  }

  /** Reports a step as skipped, with the reason. */
  skip(what: string, why: string): void {
    this.#skipped++;
    console.log(`· ${what}: skipped. ${why}`);
  }

  /** Prints the summary, and sets the exit code. */
  close(): void {
    const counts = `${this.#passed} passed, ${this.#failed.length} failed, ${this.#skipped} skipped`;
    console.log(`\n${counts}, in ${seconds(this.#start)}`);
    for (const what of this.#failed) console.log(`✗ ${what}`);
    process.exitCode = this.#failed.length > 0 ? 1 : 0;
  }
}

function seconds(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Fails a step with all of its faults. */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
