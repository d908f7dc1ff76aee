import type { FeedbackStatsBucket } from "./generated/schema.ts";

/** A bucket as it is written out: `{ timestamp, avg_output_score: 0.5, count: 3 }`. */
export interface BucketLiteral {
  readonly timestamp: string;
  readonly count: number;
  readonly [result: `${string}_${string}`]: number | null;
}

/**
 * Makes a bucket from a literal. TypeScript accepts none as a {@link FeedbackStatsBucket}: a bucket has a text and an
 * integer beside keys of any name, whose values are numbers or null. Keys come out as the service sends them: `timestamp`,
 * results, `count`.
 */
export function bucketOf({ timestamp, count, ...results }: BucketLiteral): FeedbackStatsBucket {
  const values: Record<string, number | null> = Object.fromEntries(Object.entries(results));
  return Object.assign({ timestamp }, values, { count });
}
