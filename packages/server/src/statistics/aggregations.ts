import type { Aggregation, Metric } from "@trainyard/auxiliary";

/** The JSON type that counts as a value. */
export type ValueType = NonNullable<Metric["value_type"]>;

/** The number if there are no values: in a bucket, and over the whole window. */
export interface Empty {
  readonly bucket: 0 | null;
  readonly window: 0 | null;
}

/** Everything that the statistics need to know about an aggregation. */
interface AggregationRule {
  /** The value types that it supports. */
  readonly fits: readonly ValueType[];
  readonly empty: Empty;
  /** Its SQL over the column of values. */
  readonly sql: (values: string) => string;
  /** The same SQL, for values so large that it could overflow on the way. */
  readonly scaledSql?: (values: string) => string;
}

const numbers: readonly ValueType[] = ["numeric", "boolean"];
const zero: Empty = { bucket: 0, window: 0 };
/** An extreme or a percentile is null if there are no values. */
export const noValue: Empty = { bucket: null, window: null };
// A power of two, so that dividing and multiplying by it changes no digit of a large number.
const scale = "18446744073709551616.0";

/** By aggregation: a new one of the contract does not compile until it has a row here. */
export const aggregations: Record<Aggregation, AggregationRule> = {
  sum: {
    fits: numbers,
    empty: { bucket: 0, window: null },
    sql: (values) => `sum(${values})`,
    scaledSql: (values) => `sum(${values} / ${scale}) * ${scale}`,
  },
  avg: {
    fits: numbers,
    empty: { bucket: 0, window: null },
    sql: (values) => `avg(${values})`,
    scaledSql: (values) => `avg(${values} / ${scale}) * ${scale}`,
  },
  min: { fits: numbers, empty: noValue, sql: (values) => `min(${values})` },
  max: { fits: numbers, empty: noValue, sql: (values) => `max(${values})` },
  count: { fits: [...numbers, "categorical"], empty: zero, sql: (values) => `count(${values})` },
  count_true: { fits: ["boolean"], empty: zero, sql: (values) => `count(case when ${values} = 1 then 1 end)` },
  count_false: { fits: ["boolean"], empty: zero, sql: (values) => `count(case when ${values} = 0 then 1 end)` },
};
