import type { Database } from "../store/database.ts";

/** Raise this with each change of the tables or of their content: a file of another version is created again. */
export const indexVersion = 6;

/**
 * The data that are derived from logs and jobs. The file has nothing that is not also in the data, so it can be deleted at
 * any time.
 */
const indexSchema = `
  create table meta(version integer not null);
  insert into meta values(${indexVersion});

  -- The last log and job of each run that were read. In an existing run, seq only increases.
  create table runs(
    key integer primary key, id text not null unique, log integer not null default 0, job integer not null default 0,
    -- Whether the index ever had a group that only a job has. Only then may a logged group already be in it.
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
    -- The attempts of a group have consecutive keys, which begin with its first.
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

/** Creates the tables of the derived data in an empty database. */
export function makeIndex(database: Database): Database {
  // A power failure loses nothing, because the data are read again.
  database.exec("pragma synchronous = normal");
  database.transaction(() => database.exec(indexSchema));
  return database;
}
