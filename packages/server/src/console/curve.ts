import type { Curve } from "@trainyard/local";
import { findRun, type ConsoleContext, type RunKey } from "./context.ts";
import { percentile, StepSummary } from "./step-summary.ts";
import { cellsOf } from "./steps.ts";

const pointsLimit = 2000;

/** A split of a run, and the range of its steps. */
export interface CurveQuery {
  readonly id: string;
  readonly split: string;
  readonly from?: number;
  readonly to?: number;
}

/**
 * The curve of one split, between two steps.
 *
 * @param most the maximum number of points; if there are more steps, one point combines several
 */
export function readCurve(
  context: ConsoleContext,
  { id, split, from = 0, to = Number.MAX_SAFE_INTEGER }: CurveQuery,
  most: number = pointsLimit,
): Curve | "not-found" {
  const run = findRun(context, id);
  if (run === undefined) return "not-found";
  const all = context.steps.stepsOf(run.key, split).filter((step) => step >= from && step <= to);
  const bucket = Math.max(1, Math.ceil(all.length / most));
  const places = Array.from({ length: Math.ceil(all.length / bucket) }, (_, at) =>
    all.slice(at * bucket, (at + 1) * bucket).map((step) => context.steps.of(run, split, step)),
  );
  const range = context.steps.range(run);
  const middle = (range.low + range.high) / 2;
  const merged = places.map(merge);
  const names = new Set(merged.flatMap(({ metrics }) => [...metrics.keys()]));
  const flat = (isHigh: boolean) =>
    merged.map(({ flatMeans, compared }) =>
      compared === 0 ? null : flatMeans.filter((mean) => mean >= middle === isHigh).length / compared,
    );
  return {
    split,
    range,
    bucket,
    step: merged.map(({ step }) => step),
    n: merged.map(({ rewards }) => rewards.length),
    mean: merged.map(({ mean }) => mean),
    min: places.map((some) => extreme(some, Math.min)),
    max: places.map((some) => extreme(some, Math.max)),
    sd: merged.map(({ sd }) => sd),
    cells: merged.map(({ rewards }) => cellsOf(rewards, range)),
    flat_low: flat(false),
    flat_high: flat(true),
    exceptions: merged.map(({ exceptions }) => exceptions),
    tokens: {
      p50: merged.map(({ tokens }) => percentile(tokens, 0.5)),
      p90: merged.map(({ tokens }) => percentile(tokens, 0.9)),
    },
    metrics: Object.fromEntries(
      [...names].toSorted().map((name) => [name, merged.map(({ metrics }) => metrics.get(name) ?? null)]),
    ),
    training: readTraining(context, run, from, to),
  };
}

/** Several steps as one. */
function merge(some: readonly StepSummary[]): StepSummary {
  const [first, ...others] = some;
  if (first === undefined) throw new Error("A point of the curve has no step.");
  if (others.length === 0) return first;
  const all = new StepSummary(first.step);
  for (const one of some) all.include(one);
  return all;
}

function extreme(some: readonly StepSummary[], of: (...values: number[]) => number): number | null {
  const means = some.flatMap(({ mean }) => mean ?? []);
  return means.length === 0 ? null : of(...means);
}

/** The figures of completed jobs, by the step that each job created. */
export function readTraining(
  { training }: ConsoleContext,
  { id }: Pick<RunKey, "id">,
  from: number,
  to: number,
): Curve["training"] {
  const made = training.of(id).filter(({ step }) => step >= from && step <= to);
  const names = new Set(made.flatMap(({ means }) => Object.keys(means)));
  return {
    step: made.map(({ step }) => step),
    metrics: Object.fromEntries(
      [...names].toSorted().map((name) => [name, made.map(({ means }) => means[name] ?? null)]),
    ),
  };
}
