import type { Database } from "../store/database.ts";

/** Raised with each change of the tables or of what stands in them: a file of another version is made anew. */
export const indexVersion = 4;

/** What is derived from logs and jobs. Nothing in it is known here alone: the file can be deleted at any moment. */
const indexSchema = `
  create table meta(version integer not null);
  insert into meta values(${indexVersion});

  -- How far each run was read. The seq of a run that lives only grow.
  create table runs(
    key integer primary key, id text not null unique, log integer not null default 0, job integer not null default 0,
    -- Whether a group was ever known from a job alone: only then may what is logged be known already.
    unlogged integer not null default 0
  );

  create table groups(
    key integer primary key, run integer not null, id text not null, source text not null, step integer not null,
    split text not null, task text not null, name text not null, attempts integer not null, mean real, sd real, lo real,
    hi real, exceptions integer not null, rewards text not null, flags integer not null, created integer,
    print text not null, first integer not null
  );
  create unique index groups_by_id on groups(run, id);
  create index groups_by_step on groups(run, step, split);
  create index groups_by_task on groups(run, task, step);
  create index groups_by_print on groups(run, print);

  create table rollouts(
    -- The keys of a group's attempts follow each other, from its first on.
    key integer primary key, run integer not null, grp integer not null, place integer not null, step integer not null,
    split text not null, reward real, advantage real, tokens integer, turns integer not null, calls integer not null,
    finish text, exception text, flags integer not null, preview text not null, metrics text not null
  );
  create index rollouts_by_step on rollouts(run, split, step);

  -- The totals of each step, so that a page that shows all steps does not read all groups.
  create table steps(
    run integer not null, split text not null, step integer not null, groups integer not null, attempts integer not null,
    exceptions integer not null,
    -- The sum, the minimum and the maximum of the rewards.
    total real, lo real, hi real, primary key(run, split, step)
  ) without rowid;

  create table jobs(
    key integer primary key, run integer not null, id text not null unique, groups integer not null,
    sequences integer not null, config text not null
  );
  create index jobs_by_run on jobs(run);
`;

/** Makes the tables of the derived data in an empty database. */
export function makeIndex(database: Database): Database {
  // Nothing in it is lost with the power: it is read again.
  database.exec("pragma synchronous = normal");
  database.transaction(() => database.exec(indexSchema));
  return database;
}
