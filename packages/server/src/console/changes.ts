import type { Changes } from "@trainyard/console";
import type { Context } from "../store/commands/context.ts";
import { getModel } from "../store/commands/models.ts";
import type { Database } from "../store/database.ts";
import { numberFrom, text } from "../store/row.ts";

/** What a thread has seen of its database. */
interface Seen {
  /** The number of the newest change. A number of an earlier server is smaller: all runs then count as changed. */
  seq: number;
  /** Changes with each write to the database. */
  version: number;
  /** The state of each run, and the number of the change that brought it. */
  readonly runs: Map<string, { state: string; seq: number }>;
}

const seenBy = new WeakMap<Database, Seen>();

/** A value that changes with the state of a run, or of all runs; undefined for a run that does not exist. */
export function readVersion({ database }: Context, { id }: { id?: string | undefined }): string | undefined {
  const { seq, runs } = look(database);
  const version = id === undefined ? seq : runs.get(id)?.seq;
  return version === undefined ? undefined : `W/"${version}"`;
}

/** The changes since the number of an earlier answer, and the number for the next question. Of an entity, those of its runs. */
export function readChanges(context: Context, { after, entity }: { after: number; entity?: string }): Changes {
  const { seq, runs } = look(context.database);
  const changed = [...runs].filter(([, run]) => run.seq > after).map(([id]) => id);
  return { seq, runs: changed.filter((id) => entity === undefined || getModel(context, { entity, id }) !== undefined) };
}

/** Finds the runs that have changed. */
function look(database: Database): Seen {
  const seen = seenBy.get(database) ?? { seq: Date.now(), version: -1, runs: new Map() };
  seenBy.set(database, seen);
  // The first value counts the writes of other connections, and the second this one's own: in memory there is only one.
  const version = numberFrom(database, "select data_version * 1e9 + total_changes() from pragma_data_version");
  if (version === seen.version) return seen;
  seen.version = version;
  const rows = database.all(
    // While rows of older data are derived, all runs change.
    `select id, last_step || ' ' || replaced || ' ' || coalesce((select max(seq) from logs where model_id = models.id), '') || ' ' ||
       coalesce((select min(seq) from logs where model_id = models.id), '') || ' ' ||
       (select count(*) from checkpoints where model_id = models.id and deleted = 0) || ' ' ||
       (select count(*) || ' ' || coalesce(max(seq), '') from jobs where model_id = models.id) || ' ' ||
       coalesce((select group_concat(status || attempts || ' ' || received) from jobs
         where model_id = models.id and status in ('queued', 'running')), '') || ' ' ||
       coalesce((select source || seq from underived limit 1), '') as state from models`,
  );
  const states = new Map(rows.map((run) => [text(run, "id"), text(run, "state")]));
  const before = seen.seq;
  for (const id of new Set([...states.keys(), ...seen.runs.keys()])) {
    // A deleted run has an empty state, and is reported once.
    const state = states.get(id) ?? "";
    if (seen.runs.get(id)?.state !== state) seen.runs.set(id, { state, seq: (seen.seq = before + 1) });
  }
  return seen;
}
