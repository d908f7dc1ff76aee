/**
 * A typed client of the auxiliary service: feedback statistics, stored objects, hardware options.
 *
 * @module
 */
export * from "@trainyard/core";
export { bucketOf, type BucketLiteral } from "./bucket-literal.ts";
export {
  buckets,
  type Aggregation,
  type BucketReading,
  type BucketsRequest,
  type MetricReading,
  type MetricReadings,
} from "./buckets.ts";
export * from "./generated/client.ts";
export type * from "./generated/schema.ts";
