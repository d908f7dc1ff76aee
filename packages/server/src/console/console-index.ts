import type { Database } from "../store/database.ts";
import { number, text } from "../store/row.ts";
import type { ConsoleContext } from "./context.ts";
import { readCurve, type CurveQuery } from "./curve.ts";
import { exportCurve } from "./curve-export.ts";
import { readFindings } from "./findings.ts";
import { getGroup, listGroups } from "./groups.ts";
import { Indexer } from "./indexer.ts";
import { countAttempts, listJobEvents, listJobs } from "./jobs.ts";
import { Orders } from "./orders.ts";
import { exportRollouts } from "./rollout-export.ts";
import { listRollouts } from "./rollouts.ts";
import { getRun, listRuns } from "./runs.ts";
import { Steps } from "./steps.ts";
import { Training } from "./training.ts";

/** Everything that the console asks. */
export interface Questions {
  readonly "runs.list": typeof listRuns;
  readonly "runs.get": (context: ConsoleContext, input: { id: string }) => ReturnType<typeof getRun>;
  readonly "runs.curve": (context: ConsoleContext, input: CurveQuery) => ReturnType<typeof readCurve>;
  readonly "runs.exportCurve": typeof exportCurve;
  readonly "runs.findings": typeof readFindings;
  readonly "groups.list": typeof listGroups;
  readonly "groups.get": typeof getGroup;
  readonly "rollouts.list": typeof listRollouts;
  readonly "rollouts.export": typeof exportRollouts;
  readonly "jobs.list": typeof listJobs;
  readonly "jobs.attempts": typeof countAttempts;
  readonly "jobs.events": typeof listJobEvents;
  /** How many logs and jobs of a run are read, of how many. */
  readonly progress: (context: ConsoleContext, input: { id: string }) => { done: number; of: number };
  /** What tells one state of a run, or of all of them, from another; undefined for a run that is not there. */
  readonly version: (context: ConsoleContext, input: { id?: string | undefined }) => string | undefined;
  /** What changed since a number that an answer before gave, and the number to ask with next. */
  readonly changes: (context: ConsoleContext, input: { after: number }) => { seq: number; runs: string[] };
}

export type QuestionName = keyof Questions;
export type QuestionInput<K extends QuestionName> = Parameters<Questions[K]>[1];
export type QuestionAnswer<K extends QuestionName> = ReturnType<Questions[K]>;

/** How long a question may wait for what is new to be read, in milliseconds. */
const waitBudget = 40;

/** The console's own view of the data: reads what is new into its index, and answers questions from it. */
export class ConsoleIndex {
  readonly #context: ConsoleContext;
  readonly #indexer: Indexer;
  /** What of a run was last seen, and the number of the change that brought it. */
  readonly #seen = new Map<string, { state: string; seq: number }>();
  #dataVersion = -1;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #whole = false;
  // A number that a server before gave is below: then all runs have changed.
  #seq = Date.now();

  /**
   * @param data is only read
   * @param index the derived file, opened by `openIndex` or made by `makeIndex`
   */
  constructor(data: Database, index: Database) {
    const steps = new Steps(index);
    this.#context = { data, index, steps, orders: new Orders(index), training: new Training(data) };
    this.#indexer = new Indexer(data, index, steps);
  }

  /** Milliseconds since a write to the data was noticed. Infinite if there was none since the start. */
  get sinceWrite(): number {
    return performance.now() - this.#writtenAt;
  }

  /** Reads on where something is new, for so many milliseconds. True once everything is read. */
  readOn(budget: number = waitBudget): boolean {
    const row = this.#context.data.get("select data_version, total_changes() as own from pragma_data_version");
    // The second is what this connection wrote itself, where the data are in memory and it is the store's own.
    const version = row ? number(row, "data_version") * 2 ** 40 + number(row, "own") : 0;
    if (this.#dataVersion >= 0 && version !== this.#dataVersion) this.#writtenAt = performance.now();
    if (this.#whole && version === this.#dataVersion) return true;
    this.#whole = this.#indexer.catchUp(budget);
    this.#dataVersion = version;
    this.#notice();
    return this.#whole;
  }

  /** @param budget how long the answer may wait for what is new to be read, in milliseconds */
  answer<K extends QuestionName>(name: K, input: QuestionInput<K>, budget?: number): QuestionAnswer<K> {
    this.readOn(budget);
    // The name tells the types of both: that, the compiler cannot follow.
    return this.#questions[name](this.#context, input as never) as QuestionAnswer<K>;
  }

  readonly #questions: Questions = {
    "runs.list": listRuns,
    "runs.get": (context, { id }) => getRun(context, { id, progress: this.#indexer.progress(id) }),
    "runs.curve": (context, input) => readCurve(context, input),
    "runs.exportCurve": exportCurve,
    "runs.findings": readFindings,
    "groups.list": listGroups,
    "groups.get": getGroup,
    "rollouts.list": listRollouts,
    "rollouts.export": exportRollouts,
    "jobs.list": listJobs,
    "jobs.attempts": countAttempts,
    "jobs.events": listJobEvents,
    progress: (_, { id }) => this.#indexer.progress(id),
    version: (_, { id }) => {
      const seq = id === undefined ? this.#seq : this.#seen.get(id)?.seq;
      return seq === undefined ? undefined : `W/"${seq}"`;
    },
    changes: (_, { after }) => ({
      seq: this.#seq,
      runs: [...this.#seen].filter(([, { seq }]) => seq > after).map(([id]) => id),
    }),
  };

  /** Looks which runs have changed. */
  #notice(): void {
    const { data, index } = this.#context;
    const rows = data.all(
      `select models.id as id, (select max(seq) from logs where model_id = models.id) || ' ' ||
         coalesce((select max(seq) from jobs where model_id = models.id), 0) || ' ' ||
         coalesce((select group_concat(seq || status || attempts || ' ' || (select count(*) from events where job_id = jobs.id)) from jobs
           where model_id = models.id and status in ('queued', 'running')), '') || ' ' ||
         last_step || ' ' || (select count(*) from checkpoints where model_id = models.id and deleted = 0) || ' ' ||
         (select count(*) from jobs where model_id = models.id and status = 'failed') as state from models`,
    );
    const read = new Map(
      index
        .all("select id, log, job from runs")
        .map((row) => [text(row, "id"), `${number(row, "log")} ${number(row, "job")}`]),
    );
    const states = new Map(
      rows.map((row) => [text(row, "id"), `${String(row["state"])} ${read.get(text(row, "id")) ?? ""}`]),
    );
    let changed = false;
    for (const id of new Set([...states.keys(), ...this.#seen.keys()])) {
      // A run that is gone has an empty state, and is told once.
      const state = states.get(id) ?? "";
      if (this.#seen.get(id)?.state === state) continue;
      if (!changed) this.#seq++;
      changed = true;
      this.#seen.set(id, { state, seq: this.#seq });
    }
  }
}
