import { aggregations, type ValueType } from "./aggregations.ts";
import type { Column, Metric } from "./metric.ts";

/** Filters the rows of feedback. */
export interface Filters {
  readonly project: string;
  readonly feedbackType?: string | undefined;
  /** An exact ref, or all versions of a ref if it ends in `:*`. */
  readonly triggerRef?: string | undefined;
}

/** A statement over the rows of one span of time. Its parameters are complete except for `:from` and `:to`. */
export interface Statement {
  readonly sql: string;
  readonly params: Record<string, string | number>;
}

/**
 * Writes the statement that returns `count` and, for each column of each metric, `m{metric}_{column}`.
 *
 * @param near `peaks` also returns the largest absolute value of each metric that has no `min` and `max` to tell it, as
 * `peak{metric}`; `scaled` calculates without overflow for values near the end of the range of numbers
 */
export function statisticsSql(metrics: readonly Metric[], filters: Filters, near?: "peaks" | "scaled"): Statement {
  const params: Record<string, string | number> = { project: filters.project };
  const where = ["project = :project", "created_at >= :from", "created_at < :to"];
  if (filters.feedbackType !== undefined) {
    where.push("feedback_type = :feedback_type");
    params["feedback_type"] = filters.feedbackType;
  }
  if (filters.triggerRef?.endsWith(":*")) {
    // A range of text instead of LIKE: a ref may contain wildcards of LIKE, which also ignores case. `;` follows `:` in
    // ASCII.
    where.push("trigger_ref >= :ref and trigger_ref < :behind_ref");
    params["ref"] = filters.triggerRef.slice(0, -1);
    params["behind_ref"] = `${filters.triggerRef.slice(0, -2)};`;
  } else if (filters.triggerRef !== undefined) {
    where.push("trigger_ref = :ref");
    params["ref"] = filters.triggerRef;
  }
  const values = metrics.map((metric, index) => {
    params[`path_${index}`] = `$${metric.path.map((key) => `."${key}"`).join("")}`;
    return `${valueSql(metric, `:path_${index}`)} as v${index}`;
  });
  const results = metrics.flatMap(({ columns }, index) =>
    columns.map((column, columnIndex) => {
      // Bound as parameters, so that requests with other percentiles use the same statement.
      if ("percentile" in column) params[`p${index}_${columnIndex}`] = column.percentile;
      return `${columnSql(column, `v${index}`, `:p${index}_${columnIndex}`, near === "scaled")} as m${index}_${columnIndex}`;
    }),
  );
  if (near === "peaks") {
    results.push(
      ...metrics.flatMap((metric, index) => (extremesOf(metric) ? [] : [`max(abs(v${index})) as peak${index}`])),
    );
  }
  // The limit keeps SQLite from reading the payload again for every column of a metric.
  const rows = `select ${values.join(", ") || "1"} from feedback where ${where.join(" and ")} limit -1`;
  return { sql: `select ${["count(*) as count", ...results].join(", ")} from (${rows})`, params };
}

/** The columns of the smallest and the largest value of a metric; undefined if it does not have both. */
export function extremesOf({ columns }: Metric): readonly [min: number, max: number] | undefined {
  const at = (name: string) => columns.findIndex((column) => "aggregation" in column && column.aggregation === name);
  const [min, max] = [at("min"), at("max")];
  return min < 0 || max < 0 ? undefined : [min, max];
}

/**
 * The value at a path if it has the metric's type, else null. Integers are converted to reals, so that sums never
 * overflow an integer.
 */
function valueSql({ type }: Metric, path: string): string {
  return valueOf[type](`json_type(payload, ${path})`, path);
}

const valueOf: Record<ValueType, (kind: string, path: string) => string> = {
  numeric: (kind, path) =>
    `case when ${kind} in ('integer', 'real') then cast(json_extract(payload, ${path}) as real) end`,
  boolean: (kind) => `case ${kind} when 'true' then 1.0 when 'false' then 0.0 end`,
  categorical: (kind) => `case ${kind} when 'text' then 1.0 end`,
};

function columnSql(column: Column, value: string, percentile: string, isScaled: boolean): string {
  if ("percentile" in column) {
    return isScaled ? `percentile(${value} / 4.0, ${percentile}) * 4.0` : `percentile(${value}, ${percentile})`;
  }
  const { sql, scaledSql = sql } = aggregations[column.aggregation];
  return isScaled ? scaledSql(value) : sql(value);
}
