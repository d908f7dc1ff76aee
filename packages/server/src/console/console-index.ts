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

/** All questions of the console. */
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
  /** How many logs and jobs of a run are read, and how many there are. */
  readonly progress: (context: ConsoleContext, input: { id: string }) => { done: number; of: number };
  /** A value that changes with the state of a run, or of all runs; undefined for a run that does not exist. */
  readonly version: (context: ConsoleContext, input: { id?: string | undefined }) => string | undefined;
  /** The changes since the number of an earlier answer, and the number for the next question. */
  readonly changes: (context: ConsoleContext, input: { after: number }) => { seq: number; runs: string[] };
}

export type QuestionName = keyof Questions;
export type QuestionInput<K extends QuestionName> = Parameters<Questions[K]>[1];
export type QuestionAnswer<K extends QuestionName> = ReturnType<Questions[K]>;

/** Milliseconds that a question may wait for new data to be read. */
const waitBudget = 40;

/** The console's view of the data: it reads new data into its index, and answers questions from the index. */
export class ConsoleIndex {
  readonly #context: ConsoleContext;
  readonly #indexer: Indexer;
  /** The last seen state of a run, and the number of the change that brought it. */
  readonly #seen = new Map<string, { state: string; seq: number }>();
  #dataVersion = -1;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #whole = false;
  // A number of an earlier server is smaller: all runs then count as changed.
  #seq = Date.now();

  /**
   * @param data the store's data, which are only read
   * @param index the derived file, opened by `openIndex` or created by `makeIndex`
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

  /** Reads new data for this many milliseconds. Returns true once everything is read. */
  readOn(budget: number = waitBudget): boolean {
    const row = this.#context.data.get("select data_version, total_changes() as own from pragma_data_version");
    // The second value counts this connection's own writes: data in memory are read by the store's own connection.
    const version = row ? number(row, "data_version") * 2 ** 40 + number(row, "own") : 0;
    if (this.#dataVersion >= 0 && version !== this.#dataVersion) this.#writtenAt = performance.now();
    if (this.#whole && version === this.#dataVersion) return true;
    this.#whole = this.#indexer.catchUp(budget);
    this.#dataVersion = version;
    this.#notice();
    return this.#whole;
  }

  /** @param budget milliseconds that the answer may wait for new data to be read */
  answer<K extends QuestionName>(name: K, input: QuestionInput<K>, budget?: number): QuestionAnswer<K> {
    this.readOn(budget);
    // The name decides both types, which the compiler cannot follow.
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

  /** Finds the runs that have changed. */
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
      // A deleted run has an empty state, and is reported once.
      const state = states.get(id) ?? "";
      if (this.#seen.get(id)?.state === state) continue;
      if (!changed) this.#seq++;
      changed = true;
      this.#seen.set(id, { state, seq: this.#seq });
    }
  }
}
