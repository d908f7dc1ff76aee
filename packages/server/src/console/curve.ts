import type { Curve, Reads } from "@trainyard/console";
import type { Context } from "../store/commands/context.ts";
import type { Database } from "../store/database.ts";
import { number, numberFrom, text } from "../store/row.ts";
import { hasRun, json } from "./context.ts";
import { fieldOf } from "./attempt-field.ts";
import { filterOf, type RolloutFilter } from "./rollout-filter.ts";
import type { Piece } from "./scan.ts";
import { known, percentile, StepSummary, Sum, sumIn, summariesOf, type Selection } from "./step-summary.ts";
import { cellsOf, middleOf, rangeOf } from "./steps.ts";

const pointsLimit = 2000;

/** A split of a run, and the range of its steps. */
export type CurveQuery = Reads["/runs/{run_id}/curve"]["query"] & { readonly id: string; readonly split: string };

/**
 * The curve of one split, between two steps.
 *
 * @param most the maximum number of points; if there are more steps, one point combines several
 */
export function readCurve(
  { database }: Context,
  { id, split, from = 0, to = Number.MAX_SAFE_INTEGER, by, ...filter }: CurveQuery,
  most: number = pointsLimit,
): Curve | "not-found" {
  if (!hasRun(database, id)) return "not-found";
  const range = rangeOf(database, id);
  const middle = middleOf(range);
  const all = [...summariesOf(database, id, split, selectionOf(database, { id, ...filter }, by, middle))].filter(
    ([step, { groups }]) => step >= from && step <= to && groups > 0,
  );
  const bucket = Math.max(1, Math.ceil(all.length / most));
  const places = Array.from({ length: Math.ceil(all.length / bucket) }, (_, at) =>
    all.slice(at * bucket, (at + 1) * bucket),
  );
  const points = places.map((some) => StepSummary.of(some.map(([, summary]) => summary)));
  const metrics = points.map((point) => point.metrics);
  const names = new Set(metrics.flatMap((some) => [...some.keys()]));
  const flat = (isHigh: boolean) =>
    points.map(({ flatMeans, compared }) =>
      compared === 0 ? null : flatMeans.filter((mean) => mean >= middle === isHigh).length / compared,
    );
  return {
    split,
    range,
    step: places.map(([[step] = [0]]) => step),
    n: points.map(({ rewards }) => rewards.length),
    mean: points.map(({ mean }) => mean),
    min: places.map((some) => extreme(some, Math.min)),
    max: places.map((some) => extreme(some, Math.max)),
    sd: points.map(({ sd }) => sd),
    cells: points.map(({ rewards }) => cellsOf(rewards, range)),
    flat_low: flat(false),
    flat_high: flat(true),
    exceptions: points.map(({ exceptions }) => exceptions),
    tokens: {
      p50: points.map(({ tokens }) => percentile(tokens, 0.5)),
      p90: points.map(({ tokens }) => percentile(tokens, 0.9)),
    },
    metrics: Object.fromEntries(
      [...names].toSorted().map((name) => [name, metrics.map((some) => some.get(name)?.mean ?? null)]),
    ),
    training: readTraining(database, id, from, to),
    ...(by !== undefined && { by: partsOf(points) }),
  };
}

/** The attempts of a curve; all of them without a filter. */
function selectionOf(
  database: Database,
  query: RolloutFilter,
  by: string | undefined,
  middle: number,
): Selection | undefined {
  const field = by === undefined ? undefined : fieldOf(database, `metadata.${by}`);
  const { accepts, columns, isAll } = filterOf(database, query, middle);
  if (isAll && field === undefined) return undefined;
  // What jobs change of groups that are known: their flags and their advantages.
  const counts = "select count(*) as jobs, count(settings) as settings from jobs where model_id = :id";
  const jobs = (query.flag ?? query.advantage) ? database.get(counts, { id: query.id }) : 0;
  const name = JSON.stringify([by, query, query.flag === undefined ? 0 : middle, jobs]);
  return { name, columns: [...columns.split(","), ...(field?.columns ?? [])], accepts, ...(field && { by: field }) };
}

/** How many values a curve shows, beside all others together. */
const mostParts = 8;

/** The rewards of the points by the values that their attempts are told apart by. */
function partsOf(points: readonly StepSummary[]): NonNullable<Curve["by"]> {
  const whole = StepSummary.of([...points, new StepSummary()]).parts;
  const values = [...whole]
    .flatMap(([value, { count }]) => (value === undefined ? [] : [{ value, count }]))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .map(({ value }) => value);
  const top = values.slice(0, mostParts);
  const named = new Set<string | undefined>([...top, undefined]);
  const part = (of: "value" | "others" | "none", value: string, sumAt: (point: StepSummary) => Sum | undefined) => {
    const sums = points.map((point) => sumAt(point) ?? new Sum());
    const attempts = sums.reduce((all, { count }) => all + count, 0);
    return { of, value, attempts, n: sums.map(({ count }) => count), mean: sums.map(({ mean }) => mean) };
  };
  const others = ({ parts }: StepSummary) =>
    Sum.of([...parts].flatMap(([value, one]) => (named.has(value) ? [] : [one])));
  return [
    ...top.map((value) => part("value", value, ({ parts }) => parts.get(value))),
    ...(values.length > mostParts ? [part("others", "", others)] : []),
    ...(whole.has(undefined) ? [part("none", "", ({ parts }) => parts.get(undefined))] : []),
  ];
}

function extreme(some: readonly [number, StepSummary][], of: (...values: number[]) => number): number | null {
  const means = some.flatMap(([, { mean }]) => mean ?? []);
  return means.length === 0 ? null : of(...means);
}

/** The figures of completed jobs, each the mean of its updates, by the step that each job created. */
export function readTraining(database: Database, id: string, from: number, to: number): Curve["training"] {
  const run = known(database, id);
  const jobs = numberFrom(database, "select count(*) from jobs where model_id = :id and status = 'completed'", { id });
  if (run.training?.jobs !== jobs) run.training = { jobs, figures: figuresOf(database, id) };
  const made = [...run.training.figures].filter(([step]) => step >= from && step <= to);
  const names = new Set(made.flatMap(([, figures]) => Object.keys(figures)));
  return {
    step: made.map(([step]) => step),
    metrics: Object.fromEntries(
      [...names].toSorted().map((name) => [name, made.map(([, figures]) => figures[name] ?? null)]),
    ),
  };
}

function figuresOf(database: Database, id: string): Map<number, Record<string, number | null>> {
  const updates = database.all(
    `select made.step as step, updated.data as data from jobs
       cross join events ended on ended.job_id = jobs.id and ended.type = 'training_ended'
       cross join checkpoints made on made.id = json_extract(ended.data, '$.checkpoint_id')
       cross join events updated on updated.job_id = jobs.id and updated.type = 'gradient_step'
     where jobs.model_id = :id and jobs.status = 'completed' order by made.step, updated.seq`,
    { id },
  );
  const made = new Map<number, Map<string, Sum>>();
  for (const update of updates) {
    const sums = made.get(number(update, "step")) ?? new Map<string, Sum>();
    made.set(number(update, "step"), sums);
    for (const [name, value] of Object.entries(json<Record<string, number>>(update, "data")))
      sumIn(sums, name).add(value);
  }
  return new Map(
    [...made].map(([step, sums]) => [step, Object.fromEntries([...sums].map(([name, { mean }]) => [name, mean]))]),
  );
}

/** The name of an existing run. */
export function nameOf(database: Database, id: string): string {
  const row = database.get("select name from models where id = :id", { id });
  return row ? text(row, "name") : "";
}

/** The curve of one split as CSV (RFC 4180), with a row for each step. */
export function exportCurve(context: Context, query: CurveQuery): Piece | "not-found" {
  const curve = readCurve(context, query, Number.POSITIVE_INFINITY);
  return curve === "not-found" ? curve : { text: csvOf(curve, query.by), name: nameOf(context.database, query.id) };
}

type Values = readonly (number | null)[];

function csvOf(curve: Curve, by: string | undefined): string {
  const { step, tokens, metrics, training, by: parts = [] } = curve;
  const names = ["n", "mean", "min", "max", "sd", "flat_low", "flat_high", "exceptions"] as const;
  const ofSteps: Record<string, Values> = Object.fromEntries(names.map((name) => [name, curve[name]]));
  ofSteps["tokens.p50"] = tokens.p50;
  ofSteps["tokens.p90"] = tokens.p90;
  for (const [name, values] of Object.entries(metrics)) ofSteps[`metric.${name}`] = values;
  for (const part of parts) {
    const name = `metadata.${by}${part.of === "value" ? `=${part.value}` : part.of === "none" ? "=!.." : " others"}`;
    [ofSteps[`${name} n`], ofSteps[`${name} mean`]] = [part.n, part.mean];
  }
  // Jobs create steps, and attempts are logged later, so either may be missing for a step.
  const steps = [...new Set([...step, ...training.step])].toSorted((a, b) => a - b);
  const columns: [string, (step: number) => number | null | undefined][] = [["step", (one) => one]];
  const add = (names: Readonly<Record<string, Values>>, places: readonly number[], prefix = "") => {
    const placeOf = new Map(places.map((one, place) => [one, place]));
    for (const [name, values] of Object.entries(names)) {
      columns.push([prefix + name, (one) => values[placeOf.get(one) ?? -1]]);
    }
  };
  add(ofSteps, step);
  add(training.metrics, training.step, "training.");
  const rows = [
    columns.map(([name]) => quoted(name)).join(","),
    ...steps.map((one) => columns.map(([, valueAt]) => String(valueAt(one) ?? "")).join(",")),
  ];
  return rows.map((row) => `${row}\r\n`).join("");
}

/** A name as a CSV field: people and programs choose names freely. */
function quoted(name: string): string {
  return /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
