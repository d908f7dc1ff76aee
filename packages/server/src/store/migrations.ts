import type { Database } from "./database.ts";
import { number } from "./row.ts";

/**
 * The schema, one step per version. A released step is never edited: append a new step for each change.
 */
export const migrations: readonly string[] = [
  `
  create table models(
    id text primary key, entity text not null, project text not null, name text not null, base_model text not null,
    run_id text, last_step integer not null default 0, created integer not null,
    unique(entity, project, name)
  );
  create table checkpoints(
    id text primary key, model_id text not null references models(id) on delete cascade, step integer not null,
    metrics text not null default '{}', deleted integer not null default 0, unique(model_id, step)
  );
  create index checkpoints_listed on checkpoints(model_id, step) where deleted = 0;

  create table logs(
    seq integer primary key, model_id text not null references models(id) on delete cascade, step integer not null,
    split text not null, created integer not null, body blob not null
  );
  create index logs_of_model on logs(model_id, seq);

  create table jobs(
    seq integer primary key, id text not null unique, entity text not null, model_id text not null, kind text not null,
    status text not null, attempts integer not null default 0, request text not null, data_url text,
    training_start integer, training_end integer, error_message text
  );
  create index jobs_of_data on jobs(model_id, data_url) where data_url is not null;
  create index jobs_unfinished on jobs(model_id, seq) where status in ('queued', 'running');
  create table events(
    seq integer primary key, id text not null unique, job_id text not null, type text not null, data text not null
  );
  create index events_of_job on events(job_id, seq);

  create table idempotency(
    entity text not null, operation text not null, key text not null, hash text not null, answer text not null,
    created integer not null, primary key(entity, operation, key)
  ) without rowid;
  create index idempotency_by_age on idempotency(created);

  create table feedback(
    seq integer primary key, project text not null, id text not null, created_at integer not null,
    feedback_type text not null, trigger_ref text, payload blob not null, unique(project, id)
  );
  create index feedback_by_time on feedback(project, created_at);

  create table objects(
    seq integer primary key, project text not null, object_id text not null, digest text not null,
    version_index integer not null, created_at text not null, kind text not null, base_object_class text,
    leaf_object_class text, wb_user_id text, val text not null, size_bytes integer not null, deleted_at text,
    tags text not null default '[]', unique(project, object_id, digest), unique(project, object_id, version_index)
  );
  create table aliases(
    project text not null, object_id text not null, alias text not null, version_index integer not null,
    primary key(project, object_id, alias)
  ) without rowid;

  create table hardware(
    seq integer primary key, model text not null, id text not null, option text not null, unique(model, id)
  );
  create table artifacts(
    entity text not null, project text not null, name text not null, version text not null, digest text not null,
    lines text not null, primary key(entity, project, name, version)
  ) without rowid;

  create table imports(id text primary key, kind text not null, lines integer not null, created integer not null);
  create table import_lines(
    import_id text not null references imports(id) on delete cascade, line integer not null, record text not null,
    primary key(import_id, line)
  ) without rowid;
  `,
  // Creation times. Rows that are older than this step have none.
  `
  alter table checkpoints add column created integer;
  alter table jobs add column created integer;
  alter table events add column created integer;
  create index jobs_of_model on jobs(model_id, seq);
  `,
  // How many events of the latest attempt are stored: a resumed trainer continues after them.
  `
  alter table jobs add column received integer not null default 0;
  `,
  // The row that a system check writes; also deletes the requests of jobs whose models are gone.
  `
  create table checks(id integer primary key check(id = 1), at integer not null);
  update jobs set request = '{}' where model_id not in (select id from models);
  create index jobs_by_status on jobs(status);
  `,
  // What the console shows of logs and jobs, which \`rows.derive\` also writes for the logs and jobs that exist already.
  `
  create table groups(
    -- See \`group-key.ts\`: the log or the job that has it, and its place there.
    key integer primary key, model_id text not null references models(id) on delete cascade, step integer not null,
    split text not null, created integer, task text not null, name text not null, attempts integer not null,
    exceptions integer not null, mean real, sd real, lo real, hi real, flags integer not null, print integer,
    -- Of its attempts, as in \`group-facts.ts\`. What lists filter by comes first.
    rewards text not null, tokens text not null, turns text not null, calls text not null, finishes text not null,
    marks text, thrown text, metrics text, previews text not null, metadata text, group_metrics text, group_metadata text
  );
  create index groups_by_step on groups(model_id, step);
  create index groups_of_jobs on groups(model_id, step) where key >= 4503599627370496;
  -- The sums of each step, so that a page that shows all steps or all runs does not read all groups.
  create table steps(
    model_id text not null references models(id) on delete cascade, split text not null, step integer not null,
    groups integer not null, attempts integer not null, exceptions integer not null, total real, lo real, hi real,
    primary key(model_id, split, step)
  ) without rowid;
  -- How many of its groups were replaced: the rows of \`groups\` otherwise stay as they are, apart from their flags.
  alter table models add column replaced integer not null default 0;
  alter table jobs add column step integer not null default 0;
  alter table jobs add column groups integer not null default 0;
  alter table jobs add column sequences integer not null default 0;
  alter table jobs add column config text not null default '{}';
  create table underived(source text not null, seq integer not null, primary key(source desc, seq)) without rowid;
  insert into underived select 'log', seq from logs;
  insert into underived select 'job', seq from jobs where model_id in (select id from models);
  `,
  // What else the console shows of attempts, what the doctor reads of a group, and the job that trained it, which is known for
  // new groups alone. Logs and jobs whose rows exist are read again for these. The settings of a job are those that its trainer
  // reports. The files of logs that were imported, so that the same bytes are not stored twice.
  `
  alter table groups add column origins text;
  alter table groups add column log_lines integer not null default 0;
  alter table groups add column answers integer not null default 0;
  alter table groups add column nats real;
  alter table groups add column errors text;
  alter table groups add column lag integer;
  alter table groups add column job integer;
  alter table jobs add column settings text;
  alter table underived add column has_rows integer not null default 0;
  insert or ignore into underived select 'log', seq, 1 from logs;
  insert or ignore into underived select 'job', seq, 1 from jobs where groups > 0 and model_id in (select id from models);
  create table imported(
    import_id text not null, model_id text not null references models(id) on delete cascade,
    primary key(import_id, model_id)
  ) without rowid;
  `,
  // What the model said in each attempt, as a number, for which logs and jobs whose rows exist are read again. The marks that are
  // open at a step, as JSON; null before the rules were asked, which they are once for the steps that exist. What the columns
  // \`answers\`, \`nats\`, \`errors\` and \`lag\` of older rows hold is not read any more.
  `
  alter table groups add column said text;
  alter table steps add column marks text;
  create index steps_unasked on steps(model_id) where marks is null;
  insert or ignore into underived select 'log', seq, 1 from logs;
  insert or ignore into underived select 'job', seq, 1 from jobs where groups > 0 and model_id in (select id from models);
  `,
  // A row for each metric of a checkpoint, so that a log writes those that it has alone. A name is stored as JSON, because text
  // in SQLite cannot have all characters that a name can. An infinite value of an import was stored as null. How many groups of a
  // log or a job have their rows already.
  // The attempt that an event comes from, and how many attempts of a job were ended by a stop that was asked for.
  `
  create table metrics(
    model_id text not null references models(id) on delete cascade, step integer not null, name text not null,
    value real not null, primary key(model_id, step, name)
  ) without rowid;
  insert into metrics
    select model_id, step, iif(fullkey like '$."%', substr(fullkey, 3), json_quote(key)), value
    from checkpoints, json_each(metrics) where value is not null on conflict do nothing;
  alter table checkpoints drop column metrics;
  alter table underived add column place integer not null default 0;
  alter table events add column attempt integer;
  alter table jobs add column stops integer not null default 0;
  `,
];

/** The schema version of a database: the number of applied steps, 0 for an empty one. */
export function versionOf(database: Database): number {
  const [row] = database.once("select user_version from pragma_user_version");
  return row === undefined ? 0 : number(row, "user_version");
}

/**
 * Migrates a database to the newest version in one transaction: after a crash, it has the old version or the new one.
 *
 * @throws Error if a newer release wrote the database
 */
export function migrate(database: Database, steps: readonly string[] = migrations): void {
  const version = versionOf(database);
  if (version > steps.length) {
    throw new Error(
      `The data has schema version ${version}, but this release supports versions up to ${steps.length}. Use the newer release, or choose another folder.`,
    );
  }
  if (version === steps.length) return;
  database.transaction(() => {
    for (const step of steps.slice(version)) database.exec(step);
    database.exec(`pragma user_version = ${steps.length}`);
  });
}
