import { setImmediate } from "node:timers/promises";

/** Thrown where something cannot be had on this machine: its step counts as skipped, not as failed, and never as passed. */
export class Unavailable extends Error {
  override name = "Unavailable";
}

/** Why a step is skipped that needs what is not ours. */
export const unreachable = "The registry that npm is configured for does not answer.";

/** Steps, one after the other, each reported as it ends. One that fails does not keep those after it from their turn. */
export class Steps {
  #passed = 0;
  #failed: string[] = [];
  #skipped = 0;
  readonly #start = performance.now();

  /** Takes one step. `undefined` where it did not pass. */
  async take<Result>(
    what: string,
    work: () => Result | Promise<Result>,
  ): Promise<{ readonly value: Result } | undefined> {
    // Steps may block this process, which hears only between them that it is told to end.
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

  /** Says what is not tried, and why. */
  skip(what: string, why: string): void {
    this.#skipped++;
    console.log(`· ${what}: skipped. ${why}`);
  }

  /** The last lines, and the exit code. */
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

/** Fails a step with everything that is wrong. */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
