import type { Finding, Findings } from "@trainyard/local";
import type { Context } from "../store/commands/context.ts";
import type { Database } from "../store/database.ts";
import { number, text, textOrNull } from "../store/row.ts";
import { hasRun } from "./context.ts";
import { readTraining } from "./curve.ts";
import { flagBits } from "./flags.ts";
import { percentile, summariesOf, type StepSummary } from "./step-summary.ts";
import { middleOf, rangeOf, splitsOf } from "./steps.ts";

/** A step of one split of a run, with its summary. */
interface Looked {
  readonly id: string;
  readonly split: string;
  readonly step: number;
  readonly summary: StepSummary;
}

const severities: Readonly<Record<string, number>> = { failure: 0, warning: 1, note: 2 };

/** The findings of a run, from simple rules, the most severe first. */
export function readFindings(
  { database }: Context,
  { id, step: wanted }: { id: string; step?: number },
): Findings | "not-found" {
  if (!hasRun(database, id)) return "not-found";
  const [split = "train"] = splitsOf(database, id);
  const steps = [...summariesOf(database, id, split)].map(([step, summary]) => ({ id, split, step, summary }));
  const at = wanted === undefined ? steps.length - 1 : steps.findIndex(({ step }) => step === wanted);
  const [now, before] = [steps[at], steps[at - 5]];
  const step = now?.step;
  const found: Finding[] = failedJob(database, id, step ?? 0);
  if (now !== undefined && step !== undefined) {
    found.push(
      ...ofStep(database, now),
      ...newExceptions(database, now),
      ...(before === undefined ? [] : growing(now, before)),
      ...(split === "train"
        ? overVal(database, id, new Map(steps.slice(0, at + 1).map((one) => [one.step, one.summary.mean])))
        : []),
      ...ofTraining(database, id, step),
    );
  }
  return {
    data: found.toSorted((a, b) => (severities[a.severity] ?? 3) - (severities[b.severity] ?? 3) || b.step - a.step),
  };
}

/** Rules for one step. */
function ofStep(database: Database, { id, split, step, summary: now }: Looked): Finding[] {
  const attempts = now.rewards.length + now.exceptions;
  const found: Finding[] = [];
  const add = (
    rule: Finding["rule"],
    severity: Finding["severity"],
    values: Finding["values"],
    filter: Finding["filter"],
  ) => found.push({ rule, severity, step, values, filter: { step: String(step), split, ...filter } });
  if (now.compared > 0 && now.flatMeans.length / now.compared >= 0.25) {
    const middle = middleOf(database, id);
    const high = now.flatMeans.filter((mean) => mean >= middle).length / now.compared;
    const share = now.flatMeans.length / now.compared;
    add(
      "no-signal",
      "warning",
      { share, high, low: share - high },
      { page: "groups", flag: high * 2 >= share ? "flat-high" : "flat-low" },
    );
  }
  if (now.groups > 0 && now.compared === 0 && now.rewards.length > 0) {
    add("single", "warning", { groups: now.groups }, { page: "groups", flag: "single" });
  }
  const [noTool = 0, same = 0, cut = 0, stale = 0] = (["no-tool", "same-answer", "cut", "stale"] as const).map(
    (flag) => now.marks.filter((mark) => (mark & flagBits[flag]) !== 0).length,
  );
  if (noTool > 0) add("no-tool", "warning", { count: noTool }, { page: "rollouts", flag: "no-tool", sort: "-reward" });
  if (same > 0) add("same-answer", "note", { count: same }, { page: "rollouts", flag: "same-answer" });
  if (attempts > 0 && cut / attempts >= 0.1) {
    add("cut", "warning", { share: cut / attempts, count: cut }, { page: "rollouts", flag: "cut" });
  }
  if (stale > 0) add("stale", "note", { count: stale }, { page: "rollouts", flag: "stale" });
  return found;
}

/** Exceptions in at least one of fifty attempts, or of a type that no earlier step had. */
function newExceptions(database: Database, { id, split, step, summary }: Looked): Finding[] {
  if (summary.exceptions === 0) return [];
  const share = summary.exceptions / (summary.rewards.length + summary.exceptions);
  const earlier = new Set(
    splitsOf(database, id)
      .flatMap((one) => [...summariesOf(database, id, one)])
      .flatMap(([at, { thrown }]) => (at < step ? thrown : [])),
  );
  const fresh = new Map<string, number>();
  for (const type of summary.thrown) if (!earlier.has(type)) fresh.set(type, (fresh.get(type) ?? 0) + 1);
  const [type] = [...fresh].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  if (share < 0.02 && type === undefined) return [];
  const values = { share, count: summary.exceptions, ...(type !== undefined && { type }) };
  const filter = { page: "rollouts", step: String(step), split, flag: "exception" };
  return [{ rule: "exceptions", severity: "warning", step, values, filter }];
}

/** Answers that are half as long again as five steps before, while the reward changed by less than its standard error. */
function growing({ step, summary: now }: Looked, { step: since, summary: before }: Looked): Finding[] {
  const [to, from] = [percentile(now.tokens, 0.5), percentile(before.tokens, 0.5)];
  if (to === null || from === null || from === 0 || to < from * 1.5 || now.mean === null || before.mean === null)
    return [];
  const change = now.mean - before.mean;
  if (Math.abs(change) >= Math.hypot(standardError(now), standardError(before))) return [];
  const values = { from, to, since, change };
  return [
    {
      rule: "growing-answers",
      severity: "warning",
      step,
      values,
      filter: { page: "rollouts", step: String(step), sort: "-tokens" },
    },
  ];
}

function standardError({ rewards, mean }: StepSummary): number {
  if (mean === null || rewards.length < 2) return 0;
  const variance = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / (rewards.length - 1);
  return Math.sqrt(variance / rewards.length);
}

/** The lead of `train` over `val` grew by more than a tenth of the range in ten steps. */
function overVal(database: Database, id: string, train: ReadonlyMap<number, number | null>): Finding[] {
  const both = [...summariesOf(database, id, "val")].flatMap(([step, { mean }]) => {
    const of = train.get(step);
    return of === undefined ? [] : [{ step, gap: (of ?? Number.NaN) - (mean ?? Number.NaN) }];
  });
  const last = both.at(-1);
  const first = last && both.find(({ step }) => step >= last.step - 10);
  if (first === undefined || last === undefined || first === last) return [];
  const { low, high } = rangeOf(database, id);
  const [from, to] = [first.gap, last.gap];
  if (!(to - from > 0.1 * (high - low))) return [];
  const { step } = last;
  const filter = { page: "rollouts", step: String(step), split: "val", sort: "reward" };
  return [{ rule: "train-over-val", severity: "warning", step, values: { from, to, since: first.step }, filter }];
}

/** Rules for the figures of the jobs. */
function ofTraining(database: Database, id: string, upTo: number): Finding[] {
  const { step: steps, metrics } = readTraining(database, id, 0, upTo + 1);
  const step = steps.at(-1);
  if (step === undefined) return [];
  const found: Finding[] = [];
  const entropy = (metrics["entropy"] ?? []).filter((value) => value !== null);
  const [first, last] = [entropy[0], entropy.at(-1)];
  if (first !== undefined && last !== undefined && first > 0 && last < 0.2 * first) {
    found.push({
      rule: "entropy",
      severity: "warning",
      step,
      values: { from: first, to: last },
      filter: { page: "rollouts", step: String(upTo) },
    });
  }
  // Only the first is the distance to a reference; the second is that to the model that sampled.
  const metric = "kl_reference" in metrics ? "kl_reference" : "kl";
  const kl = metrics[metric] ?? [];
  const [now, before] = [kl.at(-1), kl.at(-6)];
  if (now != null && before != null && before > 0 && now >= 5 * before) {
    found.push({
      rule: "kl",
      severity: "warning",
      step,
      values: { from: before, to: now, since: steps.at(-6) ?? 0, metric },
      filter: { page: "jobs" },
    });
  }
  return found;
}

/** The newest job failed. */
function failedJob(database: Database, id: string, step: number): Finding[] {
  const row = database.get(
    "select id, status, error_message, attempts from jobs where model_id = :id order by seq desc limit 1",
    { id },
  );
  if (row === undefined || row["status"] !== "failed") return [];
  const values = { message: textOrNull(row, "error_message") ?? "", attempts: number(row, "attempts") };
  return [{ rule: "job-failed", severity: "failure", step, values, filter: { page: "jobs", job: text(row, "id") } }];
}
