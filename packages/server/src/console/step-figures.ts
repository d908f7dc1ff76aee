import type { Comparison } from "@trainyard/console";
import type { Database, Row } from "../store/database.ts";
import { number, text } from "../store/row.ts";
import type { Item } from "./compare.ts";
import { json } from "./context.ts";
import { readTraining } from "./curve.ts";
import { settingsOf } from "./jobs.ts";
import { percentile } from "./step-summary.ts";

/** The settings and the figures that two steps are compared by. */
export function describeStep(
  database: Database,
  { id, step, rows, summary }: Pick<Item, "id" | "step" | "rows" | "summary">,
): Pick<Comparison["items"][number], "settings" | "figures"> {
  const run = database.get("select base_model from models where id = :id", { id });
  const job = database.get(
    `select config, settings, made.step as step from jobs
       cross join events ended on ended.job_id = jobs.id and ended.type = 'training_ended'
       cross join checkpoints made on made.id = json_extract(ended.data, '$.checkpoint_id')
     where jobs.model_id = :id and made.step <= :step order by made.step desc limit 1`,
    { id, step },
  );
  const made = job ? number(job, "step") : -1;
  const settings = job ? settingsOf(job) : {};
  const training = readTraining(database, id, made, made).metrics;
  const { rewards, exceptions, compared, flatMeans, tokens, metrics } = summary;
  const turns = rows.flatMap((row) => json<number[]>(row, "turns").slice(0, number(row, "attempts")));
  return {
    settings: {
      ...(run && { base_model: text(run, "base_model") }),
      ...named("job", Object.entries(settings), ({ value }) => value),
      ...named("metadata", metadataOf(rows), (value) => value),
    },
    figures: {
      reward: summary.mean,
      exceptions: exceptions / Math.max(1, rewards.length + exceptions),
      tokens: percentile(tokens, 0.5),
      turns: turns.length === 0 ? null : turns.reduce((sum, one) => sum + one, 0) / turns.length,
      flat: compared === 0 ? null : flatMeans.length / compared,
      ...named("metric", metrics, ({ mean }) => mean),
      ...named("training", Object.entries(training), ([value = null]) => value),
    },
  };
}

function named<T, U>(prefix: string, members: Iterable<[string, T]>, valueOf: (member: T) => U): Record<string, U> {
  return Object.fromEntries(Array.from(members, ([name, member]) => [`${prefix}.${name}`, valueOf(member)]));
}

/** The metadata of groups and of their attempts: each with its value, or with the number of its values. */
function metadataOf(rows: readonly Row[]): [name: string, value: unknown][] {
  const found = new Map<string, Set<string>>();
  for (const row of rows) {
    const ofAttempts = json<(object | null)[]>(row, "metadata", []);
    for (const metadata of [json<object>(row, "group_metadata", {}), ...ofAttempts]) {
      for (const [name, value] of Object.entries(metadata ?? {})) {
        const values = found.get(name) ?? new Set();
        found.set(name, values.add(JSON.stringify(value)));
      }
    }
  }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, values]) => {
      const [value = "null"] = values;
      return [name, values.size === 1 ? JSON.parse(value) : `${values.size} values`];
    });
}
