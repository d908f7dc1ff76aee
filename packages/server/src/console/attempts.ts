import type { Attempt, GroupDetail, JobSummary } from "@trainyard/local";
import { advantagesOf } from "@trainyard/training/doctor";
import type { Database, Row } from "../store/database.ts";
import { number, numberOrNull, text } from "../store/row.ts";
import { fieldOf } from "./attempt-field.ts";
import { json, timeOf } from "./context.ts";
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
  const names = new Set(["scale_rewards", "normalize_advantages", "advantage_balance"]);
  return { job: text(job, "id"), settings: Object.fromEntries(settings.filter(([name]) => names.has(name))) };
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
  const advantages = advantagesIn(database, group);
  const numberAt = (name: string) => {
    const valueAt = fieldOf(name).at(group);
    return (place: number): number | null => {
      const value = valueAt(place);
      return typeof value === "number" ? value : null;
    };
  };
  const [reward, tokens] = [numberAt("reward"), numberAt("tokens")];
  const [turns, calls, lines] = [numberAt("turns"), numberAt("tool_calls"), numberAt("log_lines")];
  const [start, initial, final] = [numberAt("start"), numberAt("initial_policy"), numberAt("final_policy")];
  const [finishes, thrown] = [json<(string | null)[]>(group, "finishes", []), json<string[]>(group, "thrown", [])];
  const metrics = Object.entries(json<Record<string, (number | null)[]>>(group, "metrics", {}));
  const metadata = json<Attempt["metadata"][]>(group, "metadata", []);
  const [bitsAt, size] = [bitsOf(group), number(group, "attempts")];
  return json<string[]>(group, "previews", []).map((preview, place) => ({
    place,
    reward: reward(place),
    advantage: advantages[place] ?? null,
    tokens: tokens(place),
    turns: turns(place) ?? 0,
    tool_calls: calls(place) ?? 0,
    finish: finishes[place] ?? null,
    exception: thrown[place - size] ?? null,
    flags: flagsOf(bitsAt(place), reward(place), middle),
    preview,
    metrics: Object.fromEntries(
      metrics.flatMap(([name, values]) => (values[place] == null ? [] : [[name, values[place]]])),
    ),
    metadata: metadata[place] ?? {},
    started_at: timeOf(start(place)),
    initial_policy: initial(place),
    final_policy: final(place),
    log_lines: lines(place) ?? 0,
  }));
}
