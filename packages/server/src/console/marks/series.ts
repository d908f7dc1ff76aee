import { Sum } from "../step-summary.ts";

type Point = readonly [step: number, sum: Sum];

/** The best three steps in a row, without those that are among the newest three, and by how much these are below them. */
export interface Fall extends Readonly<Record<"before" | "newest", readonly Point[]>> {
  readonly by: number;
}

const meanOf = (points: readonly Point[]) => Sum.of(points.map(([, sum]) => sum)).mean ?? 0;

/** A figure by step, of which the newest and the best three steps in a row are kept. */
export class Series {
  #newest: readonly Point[] = [];
  #best: readonly Point[] = [];
  low: number = Infinity;
  high: number = -Infinity;
  /** Whether the first step has the highest mean. */
  isHighestAtFirst: boolean = true;
  /** Undefined before the fourth step. */
  fall: Fall | undefined;

  add(step: number, sum: Sum): this {
    const { mean } = sum;
    if (mean === null) return this;
    const newest = this.#newest;
    if (newest.length === 3 && (this.#best.length === 0 || meanOf(newest) > meanOf(this.#best))) this.#best = newest;
    this.#newest = [...newest, [step, sum] as const].slice(-3);
    this.low = Math.min(this.low, mean);
    if (mean > this.high && newest.length > 0) this.isHighestAtFirst = false;
    this.high = Math.max(this.high, mean);
    const before = this.#best.filter((point) => !this.#newest.includes(point));
    const by = meanOf(this.#best) - meanOf(this.#newest);
    if (this.#best.length > 0) this.fall = { by, before, newest: this.#newest };
    return this;
  }
}
