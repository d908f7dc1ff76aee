import { Moments } from "./change.ts";

/** The values of one step. */
interface Point {
  readonly step: number;
  readonly moments: Moments;
}

/** The three best and the three newest steps of a figure. */
export interface Fall {
  /** By how much the mean of the newest three is below that of the best three. */
  readonly by: number;
  readonly best: number;
  readonly now: number;
  /** The best three steps, without those that are among the newest. */
  readonly before: readonly Point[];
  readonly newest: readonly Point[];
}

const length = 3;

/** A figure by step, of which the newest and the best three steps in a row are kept. */
export class Series {
  #newest: Point[] = [];
  #best: { readonly mean: number; readonly points: readonly Point[] } | undefined;
  low = Infinity;
  high = -Infinity;
  /** The first step, and the one with the highest mean. */
  first: number | undefined;
  top: number | undefined;

  add(step: number, moments: Moments): void {
    if (moments.n === 0) return;
    const mean = Moments.of(this.#newest.map((point) => point.moments)).mean;
    if (this.#newest.length === length && !(this.#best !== undefined && this.#best.mean >= mean))
      this.#best = { mean, points: this.#newest };
    this.#newest = [...this.#newest, { step, moments }].slice(-length);
    this.first ??= step;
    if (moments.mean > this.high) this.top = step;
    this.low = Math.min(this.low, moments.mean);
    this.high = Math.max(this.high, moments.mean);
  }

  /** Undefined before the fourth step. */
  get fall(): Fall | undefined {
    if (this.#best === undefined) return undefined;
    const { mean: best, points } = this.#best;
    const now = Moments.of(this.#newest.map(({ moments }) => moments)).mean;
    const before = points.filter((point) => !this.#newest.includes(point));
    return { by: best - now, best, now, before, newest: this.#newest };
  }
}
