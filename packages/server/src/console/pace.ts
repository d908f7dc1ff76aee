import { cpus } from "node:os";

/** Processors count as scarce if less than this share of their time is idle. */
const scarce = 0.25;
/** The shortest time between two readings of the processors' times, in milliseconds. The system counts in steps of 10 ms. */
const lookEvery = 50;
/** The length of a rest, as a multiple of the work before it. */
const restFactor = 19;

/** Times of all processors together, in milliseconds. */
export interface ProcessorTimes {
  readonly idle: number;
  readonly total: number;
}

/**
 * Limits background work to a twentieth of one processor while logs are written and all processors are busy. A low priority
 * does not do that: a running thread may finish its time slice, and a thread that becomes ready meanwhile waits for it.
 */
export class Pace {
  readonly #isLogging: () => boolean;
  readonly #now: () => number;
  readonly #timesOf: () => ProcessorTimes;
  #restUntil = 0;
  #lookedAt: number;
  #last: ProcessorTimes;
  #isScarce = false;

  /**
   * @param isLogging whether logs are being written. Without that, a low priority is enough: other programs do not wait for
   *   this process
   * @param now the clock, in milliseconds
   * @param timesOf returns the times of all processors together since the start of the system
   */
  constructor(
    isLogging: () => boolean,
    now: () => number = () => performance.now(),
    timesOf: () => ProcessorTimes = timesOfAll,
  ) {
    this.#isLogging = isLogging;
    this.#now = now;
    this.#timesOf = timesOf;
    this.#lookedAt = now();
    this.#last = timesOf();
  }

  /** The remaining rest, in milliseconds. */
  get rest(): number {
    return Math.max(0, this.#restUntil - this.#now());
  }

  /** Whether a rest follows each piece of work. */
  get isNeeded(): boolean {
    return this.#isScarce && this.#isLogging();
  }

  /** Does a piece of work. If processors are scarce while logs are written, a rest follows. */
  during<T>(work: () => T): T {
    const start = this.#now();
    try {
      return work();
    } finally {
      const end = this.#now();
      if (end - this.#lookedAt >= lookEvery) this.#look(end);
      if (this.isNeeded) this.#restUntil = Math.max(end, this.#restUntil) + restFactor * (end - start);
    }
  }

  #look(now: number): void {
    const { idle, total } = this.#timesOf();
    this.#isScarce = idle - this.#last.idle < scarce * (total - this.#last.total);
    this.#last = { idle, total };
    this.#lookedAt = now;
  }
}

function timesOfAll(): ProcessorTimes {
  const sums = { idle: 0, total: 0 };
  for (const { times } of cpus()) {
    sums.idle += times.idle;
    sums.total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return sums;
}
