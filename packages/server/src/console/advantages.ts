import type { GroupDetail, JobSummary } from "@trainyard/console";
import { advantagesOf } from "@trainyard/training/rollouts";
import type { Database, Row } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { json } from "./context.ts";

/** The settings of a job that make advantages of rewards. */
const names = new Set(["scale_rewards", "normalize_advantages", "advantage_balance"]);

/** The job that trained a row of `groups`, with the settings that made its advantages; none if its trainer reported none. */
export function trainedBy(database: Database, group: Row): GroupDetail["advantages"] {
  const seq = numberOrNull(group, "job");
  const job = seq === null ? undefined : database.get("select id, settings from jobs where seq = :seq", { seq });
  if (job === undefined || job["settings"] === null) return { job: null, settings: {} };
  const settings = Object.entries(json<JobSummary["settings"]>(job, "settings"));
  return { job: text(job, "id"), settings: Object.fromEntries(settings.filter(([name]) => names.has(name))) };
}

type Values = readonly (number | null)[];

/**
 * Returns what reads the advantages of rows of `groups` as their jobs trained them, and otherwise as a trainer does by
 * default. It reads each job once.
 */
export function readAdvantages(database: Database): (group: Row) => Values {
  const jobs = new Map<number | null, (group: Row) => Values>();
  return (group) => {
    const job = numberOrNull(group, "job");
    const read = jobs.get(job) ?? readerOf(database, group);
    jobs.set(job, read);
    return read(group);
  };
}

/** The reader of the groups of a group's job. */
function readerOf(database: Database, group: Row): (group: Row) => Values {
  const { settings: given } = trainedBy(database, group);
  const settings = {
    scaleRewards: given["scale_rewards"]?.value !== false,
    normalizeAdvantages: given["normalize_advantages"]?.value === true,
    advantageBalance: Number(given["advantage_balance"]?.value ?? 0),
  };
  const rewardsOf = (row: Row) => json<number[]>(row, "rewards");
  const known = settings.normalizeAdvantages ? batchOf(number(group, "job")) : undefined;
  return (row) => {
    const rewards = rewardsOf(row);
    if (rewards.length < 2) return rewards.map(() => null);
    return known?.get(number(row, "key")) ?? advantagesOf([rewards], settings).values[0] ?? [];
  };

  /** Of all groups of a job, which are compared with each other. */
  function batchOf(job: number): Map<number, Values> {
    const rows = database.all(
      `select key, rewards from jobs join groups on groups.model_id = jobs.model_id and groups.job = jobs.seq
         and groups.step between jobs.step - 1 and jobs.step + 1
       where jobs.seq = :job`,
      { job },
    );
    const { values } = advantagesOf(rows.map(rewardsOf), settings);
    return new Map(rows.map((row, at) => [number(row, "key"), values[at] ?? []]));
  }
}
