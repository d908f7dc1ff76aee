import type { FeedbackStatsBucket } from "./generated/schema.ts";

/** A bucket as a literal: `{ timestamp, avg_output_score: 0.5, count: 3 }`. */
export interface BucketLiteral {
  readonly timestamp: string;
  readonly count: number;
  readonly [result: `${string}_${string}`]: number | null;
}

/**
 * Creates a bucket from a literal. TypeScript accepts no literal as a {@link FeedbackStatsBucket}, because a bucket has a
 * string and an integer beside keys of any name, whose values are numbers or null. The keys are in the order of the service:
 * `timestamp`, results, `count`.
 */
export function bucketOf({ timestamp, count, ...results }: BucketLiteral): FeedbackStatsBucket {
  const values: Record<string, number | null> = Object.fromEntries(Object.entries(results));
  return Object.assign({ timestamp }, values, { count });
}
