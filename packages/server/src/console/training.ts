import type { Database } from "../store/database.ts";
import { number, text } from "../store/row.ts";
import { keepNewest } from "./kept.ts";

/** The figures of a completed job: the mean of each. */
export interface MadeStep {
  /** The step that the job created. */
  readonly step: number;
  readonly means: Readonly<Record<string, number>>;
}

/** Reads the figures of jobs. Each job is read once, because a job that has ended does not change. */
export class Training {
  readonly #data: Database;
  readonly #kept = new Map<string, { upTo: number; made: MadeStep[] }>();

  constructor(data: Database) {
    this.#data = data;
  }

  /** The steps that the completed jobs of a run created, in ascending order. */
  of(runId: string): readonly MadeStep[] {
    const cached = keepNewest(this.#kept, runId, () => ({ upTo: 0, made: [] }));
    const ends = this.#data.all(
      `select ended.seq as seq, ended.job_id as job, made.step as step from jobs
         cross join events ended on ended.job_id = jobs.id and ended.type = 'training_ended' and ended.seq > :upTo
         cross join checkpoints made on made.id = json_extract(ended.data, '$.checkpoint_id')
       where jobs.model_id = :runId order by ended.seq`,
      { runId, upTo: cached.upTo },
    );
    for (const end of ends) {
      cached.upTo = number(end, "seq");
      const updates = this.#updatesOf(text(end, "job"));
      if (updates.length > 0) cached.made.push({ step: number(end, "step"), means: meansOf(updates) });
    }
    if (ends.length > 0) cached.made.sort((a, b) => a.step - b.step);
    return cached.made;
  }

  #updatesOf(job: string): Record<string, number>[] {
    return this.#data
      .all("select data from events where job_id = :job and type = 'gradient_step' order by seq", { job })
      .map((row) => JSON.parse(text(row, "data")) as Record<string, number>);
  }
}

function meansOf(updates: readonly Record<string, number>[]): Record<string, number> {
  const names = new Set(updates.flatMap((update) => Object.keys(update)));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = updates.flatMap((update) => update[name] ?? []);
      return [name, values.reduce((sum, value) => sum + value, 0) / values.length];
    }),
  );
}
