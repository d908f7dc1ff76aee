import { isObject } from "@trainyard/core/validation";
import { bodyOf } from "../store/commands/logs.ts";
import type { Database } from "../store/database.ts";
import { bytes, number, numberOrNull, text } from "../store/row.ts";
import { listOf } from "./attempt-facts.ts";
import type { RunKey } from "./context.ts";
import { flagBits } from "./flags.ts";
import { readGroup, type GroupFacts } from "./group-facts.ts";
import { IndexedGroups, type GroupPlace } from "./indexed-groups.ts";
import type { Steps } from "./steps.ts";

/** A run in the index. */
interface KnownRun extends RunKey {
  log: number;
  job: number;
  /** Whether the index ever had a group that only a job has. */
  unlogged: boolean;
}

/** Reads new data into the index: first logs, then groups that jobs were trained on without being logged. */
export class Indexer {
  readonly #data: Database;
  readonly #index: Database;
  readonly #groups: IndexedGroups;

  /**
   * @param data the store's data, which are only read
   * @param steps is notified of each group that is added or removed
   */
  constructor(data: Database, index: Database, steps: Steps) {
    this.#data = data;
    this.#index = index;
    this.#groups = new IndexedGroups(index, steps);
  }

  /**
   * Reads new data for a while, and stores what it read.
   *
   * @param budget milliseconds; at least one log or job is read
   * @returns whether all is read
   */
  catchUp(budget: number): boolean {
    const end = performance.now() + budget;
    return this.#groups.change(() => {
      this.#forgetDeleted();
      for (const { id } of this.#newRuns()) this.#index.run("insert into runs(id) values(:id)", { id });
      for (const row of this.#index.all("select * from runs")) {
        const run = {
          key: number(row, "key"),
          id: text(row, "id"),
          log: number(row, "log"),
          job: number(row, "job"),
          unlogged: number(row, "unlogged") === 1,
        };
        while (this.#readNext(run)) if (performance.now() > end) return false;
      }
      return true;
    });
  }

  /** How many logs and jobs of a run are read, and how many there are. */
  progress(runId: string): { done: number; of: number } {
    const row = this.#index.get("select log, job from runs where id = :runId", { runId });
    const count = (table: string, upTo: number | undefined) => {
      const row = this.#data.get(
        `select count(*) as total, count(case when seq <= :upTo then 1 end) as done from ${table} where model_id = :runId`,
        { runId, upTo: upTo ?? 0 },
      );
      return { of: row ? number(row, "total") : 0, done: row ? number(row, "done") : 0 };
    };
    const logs = count("logs", row && number(row, "log"));
    const jobs = count("jobs", row && number(row, "job"));
    return { done: logs.done + jobs.done, of: logs.of + jobs.of };
  }

  /** Ids of runs are never used again, so a missing id means that the run was deleted. */
  #forgetDeleted(): void {
    const alive = new Set(this.#data.all("select id from models").map((row) => text(row, "id")));
    for (const row of this.#index.all("select key, id from runs")) {
      if (alive.has(text(row, "id"))) continue;
      const run = number(row, "key");
      for (const table of ["rollouts", "groups", "steps", "jobs"]) {
        this.#index.run(`delete from ${table} where run = :run`, { run });
      }
      this.#index.run("delete from runs where key = :run", { run });
    }
  }

  #newRuns(): { id: string }[] {
    const indexed = new Set(this.#index.all("select id from runs").map((row) => text(row, "id")));
    const all = this.#data.all("select id from models order by created, id").map((row) => ({ id: text(row, "id") }));
    return all.filter(({ id }) => !indexed.has(id));
  }

  /** Reads the next log or, if there is none, the next job. Returns false if nothing is left. */
  #readNext(run: KnownRun): boolean {
    const log = this.#data.get("select * from logs where model_id = :id and seq > :log order by seq limit 1", {
      id: run.id,
      log: run.log,
    });
    if (log !== undefined) {
      run.log = number(log, "seq");
      const place = { run, source: "log" as const, step: number(log, "step"), split: text(log, "split") };
      const created = numberOrNull(log, "created");
      const body = parse(`log ${run.log} of the model ${run.id}`, () => bodyOf(bytes(log, "body")));
      for (const [at, group] of listOf(body["trajectory_groups"]).entries()) {
        this.#addLogged({ ...place, created, id: `${run.log}.${at}` }, readGroup(group, place.step));
      }
      this.#index.run("update runs set log = :log where key = :key", { log: run.log, key: run.key });
      return true;
    }
    const job = this.#data.get(
      "select seq, id, kind, request, created from jobs where model_id = :id and seq > :job order by seq limit 1",
      { id: run.id, job: run.job },
    );
    if (job === undefined) return false;
    run.job = number(job, "seq");
    this.#addJob(
      run,
      text(job, "id"),
      parse(`training job ${text(job, "id")}`, () => text(job, "request")),
      numberOrNull(job, "created"),
    );
    this.#index.run("update runs set job = :job, unlogged = :unlogged where key = :key", {
      job: run.job,
      unlogged: Number(run.unlogged),
      key: run.key,
    });
    return true;
  }

  /**
   * If a client trains before it logs, a group of a job is logged later. The group of the job is then replaced by the
   * logged one.
   */
  #addLogged(place: GroupPlace & { readonly run: KnownRun }, facts: GroupFacts): void {
    const fromJob = place.run.unlogged ? this.#groups.find(place.run.key, "job", place.step, facts.print) : undefined;
    if (fromJob !== undefined) this.#groups.delete(place.run, fromJob);
    this.#groups.add(place, facts, fromJob === undefined ? 0 : flagBits.trained);
  }

  #addJob(run: KnownRun, id: string, request: Record<string, unknown>, created: number | null): void {
    const groups = listOf(request["trajectory_groups"]);
    const step = this.#stepAt(run.id, run.job, created);
    let sequences = 0;
    for (const [at, group] of groups.entries()) {
      const facts = readGroup(group, step);
      sequences += facts.attempts.filter(({ reward }) => reward !== null).length;
      const logged = this.#groups.find(run.key, "log", step, facts.print);
      const place = { run, source: "job" as const, id: `j${run.job}.${at}`, step, split: "train", created };
      if (logged === undefined) {
        run.unlogged = true;
        this.#groups.add(place, facts, flagBits.trained | flagBits["not-logged"]);
      } else this.#groups.markTrained(logged);
    }
    const config = request["experimental_config"] ?? request["config"] ?? {};
    this.#index.run(
      "insert into jobs(run, id, groups, sequences, config) values(:run, :id, :groups, :sequences, :config)",
      { run: run.key, id, groups: groups.length, sequences, config: JSON.stringify(config) },
    );
  }

  /** The newest step when a job was created. Data without times: one step for each job that completed before it. */
  #stepAt(runId: string, seq: number, created: number | null): number {
    const row =
      created === null
        ? this.#data.get(
            "select count(*) as step from jobs where model_id = :runId and seq < :seq and status = 'completed'",
            { runId, seq },
          )
        : this.#data.get(
            "select coalesce(max(step), 0) as step from checkpoints where model_id = :runId and coalesce(created, 0) <= :created",
            { runId, created },
          );
    return row ? number(row, "step") : 0;
  }
}

/** Parses a stored body. One that cannot be read counts as empty, so that the console shows everything else. */
function parse(what: string, read: () => string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(read());
    return isObject(value) ? value : {};
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(
      `The body of the ${what} cannot be read: ${reason}. The console shows the run without these rollouts. If you have a backup of the data, restore it.`,
    );
    return {};
  }
}
