import type { Attempt, GroupDetail, JobSummary } from "@trainyard/local";
import { advantagesOf } from "@trainyard/training/doctor";
import type { Database, Row } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { json } from "./context.ts";
import { flagBits, flagsOf } from "./flags.ts";

/** Flags of a group that each of its attempts with a trajectory has. */
const ofGroup = flagBits.flat | flagBits.single | flagBits.trained | flagBits["not-logged"];

/** The bits of each attempt's flags: its own, and if it has a trajectory, those that its group has as a whole. */
export function bitsOf(group: Row): (place: number) => number {
  const [size, ofAll] = [number(group, "attempts"), number(group, "flags") & ofGroup];
  const marks = json<number[]>(group, "marks", []);
  return (place) => (marks[place] ?? 0) | (place < size ? ofAll : 0);
}

/** The job that trained a row of `groups`, with the settings that made its advantages; none if its trainer reported none. */
export function trainedBy(database: Database, group: Row): GroupDetail["advantages"] {
  const seq = numberOrNull(group, "job");
  const job = seq === null ? undefined : database.get("select id, settings from jobs where seq = :seq", { seq });
  if (job === undefined || job["settings"] === null) return { job: null, settings: {} };
  const settings = Object.entries(json<JobSummary["settings"]>(job, "settings"));
  const names = ["scale_rewards", "normalize_advantages", "advantage_balance"];
  return { job: text(job, "id"), settings: Object.fromEntries(settings.filter(([name]) => names.includes(name))) };
}

/** The advantages of a row of `groups`. Some settings compare all groups of its job. */
function advantagesIn(database: Database, group: Row): readonly (number | null)[] {
  const rewards: number[] = json(group, "rewards");
  if (rewards.length < 2) return rewards.map(() => null);
  const { settings: given } = trainedBy(database, group);
  const settings = {
    scaleRewards: given["scale_rewards"]?.value !== false,
    normalizeAdvantages: given["normalize_advantages"]?.value === true,
    advantageBalance: Number(given["advantage_balance"]?.value ?? 0),
  };
  const batch = settings.normalizeAdvantages
    ? database.all(
        "select key, rewards from groups where model_id = :id and step between :step - 1 and :step + 1 and job = :job",
        {
          id: text(group, "model_id"),
          step: number(group, "step"),
          job: number(group, "job"),
        },
      )
    : [group];
  const at = batch.findIndex((one) => one["key"] === group["key"]);
  return (
    advantagesOf(
      batch.map((one) => json<number[]>(one, "rewards")),
      settings,
    ).values[at] ?? []
  );
}

/** The attempts of a row of `groups`. */
export function attemptsOf(database: Database, group: Row, middle: number): Attempt[] {
  const size = number(group, "attempts");
  const advantages = advantagesIn(database, group);
  const list = <T>(column: string): T[] => json<T[]>(group, column, []);
  const [rewards, tokens, turns] = [list<number>("rewards"), list<number | null>("tokens"), list<number>("turns")];
  const [calls, finishes, thrown] = [list<number>("calls"), list<string | null>("finishes"), list<string>("thrown")];
  const metrics = Object.entries(json<Record<string, (number | null)[]>>(group, "metrics", {}));
  const bitsAt = bitsOf(group);
  return list<string>("previews").map((preview, place) => {
    const reward = rewards[place] ?? null;
    return {
      place,
      reward,
      advantage: advantages[place] ?? null,
      tokens: tokens[place] ?? null,
      turns: turns[place] ?? 0,
      tool_calls: calls[place] ?? 0,
      finish: finishes[place] ?? null,
      exception: thrown[place - size] ?? null,
      flags: flagsOf(bitsAt(place), reward, middle),
      preview,
      metrics: Object.fromEntries(
        metrics.flatMap(([name, values]) => (values[place] == null ? [] : [[name, values[place]]])),
      ),
    };
  });
}
