import { cpus } from "node:os";

/** The share of idle time of all processors below which others may have to wait for one. */
const scarce = 0.25;
/** How often the processors are looked at, in milliseconds: the system counts in steps of ten. */
const lookEvery = 100;
/** How long the rest after a piece of work is, as a multiple of it. */
const restFactor = 9;

/** Milliseconds of all processors together. */
export interface ProcessorTimes {
  readonly idle: number;
  readonly total: number;
}

/**
 * Keeps background work to a tenth of one processor while others need them all. A low priority is not enough: what runs may
 * run to the end of its slice of time, and whoever wakes up in the middle of it waits.
 */
export class Pace {
  readonly #now: () => number;
  readonly #timesOf: () => ProcessorTimes;
  #restUntil = 0;
  #lookedAt: number;
  #last: ProcessorTimes;
  #isScarce = false;

  /**
   * @param now the clock, in milliseconds
   * @param timesOf what all processors together have done so far
   */
  constructor(now: () => number = () => performance.now(), timesOf: () => ProcessorTimes = timesOfAll) {
    this.#now = now;
    this.#timesOf = timesOf;
    this.#lookedAt = now();
    this.#last = timesOf();
  }

  /** Milliseconds of rest that are left. */
  get rest(): number {
    return Math.max(0, this.#restUntil - this.#now());
  }

  /** Does a piece of work. A rest follows where processors are scarce. */
  during<T>(work: () => T): T {
    const start = this.#now();
    try {
      return work();
    } finally {
      const end = this.#now();
      if (end - this.#lookedAt >= lookEvery) this.#look(end);
      if (this.#isScarce) this.#restUntil = Math.max(end, this.#restUntil) + restFactor * (end - start);
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
