import type { Finding, Findings } from "@trainyard/local";
import { number, text, textOrNull } from "../store/row.ts";
import { findRun, type ConsoleContext, type RunKey } from "./context.ts";
import { readTraining } from "./curve.ts";
import { middleOf } from "./groups.ts";
import { percentile, type StepSummary } from "./step-summary.ts";

const severities: Readonly<Record<string, number>> = { failure: 0, warning: 1, note: 2 };

/** The findings of a run, from simple rules, the most severe first. */
export function readFindings(
  context: ConsoleContext,
  { id, step: wanted }: { id: string; step?: number },
): Findings | "not-found" {
  const run = findRun(context, id);
  if (run === undefined) return "not-found";
  const [split] = context.steps.splits(run.key);
  const steps = split === undefined ? [] : context.steps.stepsOf(run.key, split);
  const at = wanted === undefined ? steps.length - 1 : steps.indexOf(wanted);
  const found: Finding[] = failedJob(context, id, steps[at] ?? 0);
  const step = steps[at];
  if (split !== undefined && step !== undefined) {
    const now = context.steps.of(run, split, step);
    const before = steps[at - 5];
    found.push(
      ...ofStep(context, run, split, now),
      ...newExceptions(context, run, split, now),
      ...(before === undefined ? [] : growing(now, context.steps.of(run, split, before))),
      ...overVal(context, run, split, steps.slice(0, at + 1)),
      ...ofTraining(context, id, step),
    );
  }
  return {
    data: found.toSorted((a, b) => (severities[a.severity] ?? 3) - (severities[b.severity] ?? 3) || b.step - a.step),
  };
}

/** Rules for one step. */
function ofStep(context: ConsoleContext, run: RunKey, split: string, now: StepSummary): Finding[] {
  const { step } = now;
  const attempts = now.rewards.length + now.exceptions;
  const found: Finding[] = [];
  const add = (
    rule: Finding["rule"],
    severity: Finding["severity"],
    values: Finding["values"],
    filter: Finding["filter"],
  ) => found.push({ rule, severity, step, values, filter: { step: String(step), split, ...filter } });
  if (now.compared > 0 && now.flatMeans.length / now.compared >= 0.25) {
    const middle = middleOf(context, run);
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
  if (now.noTool > 0)
    add("no-tool", "warning", { count: now.noTool }, { page: "rollouts", flag: "no-tool", sort: "-reward" });
  if (now.sameAnswer > 0)
    add("same-answer", "note", { count: now.sameAnswer }, { page: "rollouts", flag: "same-answer" });
  if (attempts > 0 && now.cut / attempts >= 0.1) {
    add("cut", "warning", { share: now.cut / attempts, count: now.cut }, { page: "rollouts", flag: "cut" });
  }
  if (now.stale > 0) add("stale", "note", { count: now.stale }, { page: "rollouts", flag: "stale" });
  return found;
}

/** Exceptions in at least one of fifty attempts, or of a type that no earlier step had. */
function newExceptions({ index }: ConsoleContext, run: RunKey, split: string, now: StepSummary): Finding[] {
  if (now.exceptions === 0) return [];
  const { step } = now;
  const share = now.exceptions / (now.rewards.length + now.exceptions);
  const fresh = index.get(
    `select exception, count(*) as n from rollouts where run = :run and split = :split and step = :step
       and exception is not null and exception not in (select exception from rollouts
         where run = :run and step < :step and exception is not null) group by exception order by n desc limit 1`,
    { run: run.key, split, step },
  );
  if (share < 0.02 && fresh === undefined) return [];
  const values = { share, count: now.exceptions, ...(fresh && { type: text(fresh, "exception") }) };
  const filter = { page: "rollouts", step: String(step), split, flag: "exception" };
  return [{ rule: "exceptions", severity: "warning", step, values, filter }];
}

/** Answers that are half as long again as five steps before, while the reward changed by less than its standard error. */
function growing(now: StepSummary, before: StepSummary): Finding[] {
  const [to, from] = [percentile(now.tokens, 0.5), percentile(before.tokens, 0.5)];
  if (to === null || from === null || from === 0 || to < from * 1.5 || now.mean === null || before.mean === null)
    return [];
  const change = now.mean - before.mean;
  if (Math.abs(change) >= Math.hypot(standardError(now), standardError(before))) return [];
  const { step } = now;
  const values = { from, to, since: before.step, change };
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
function overVal(context: ConsoleContext, run: RunKey, split: string, steps: readonly number[]): Finding[] {
  const splits = context.steps.splits(run.key);
  if (split !== "train" || !splits.includes("val")) return [];
  const both = context.steps.stepsOf(run.key, "val").filter((step) => steps.includes(step));
  const last = both.at(-1);
  const first = last === undefined ? undefined : both.find((step) => step >= last - 10);
  if (first === undefined || last === undefined || first === last) return [];
  const gap = (step: number) =>
    (context.steps.of(run, "train", step).mean ?? Number.NaN) - (context.steps.of(run, "val", step).mean ?? Number.NaN);
  const { low, high } = context.steps.range(run);
  const [from, to] = [gap(first), gap(last)];
  if (!(to - from > 0.1 * (high - low))) return [];
  const filter = { page: "rollouts", step: String(last), split: "val", sort: "reward" };
  return [{ rule: "train-over-val", severity: "warning", step: last, values: { from, to, since: first }, filter }];
}

/** Rules for the figures of the jobs. */
function ofTraining(context: ConsoleContext, id: string, upTo: number): Finding[] {
  const { step: steps, metrics } = readTraining(context, { id }, 0, upTo + 1);
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
function failedJob({ data }: ConsoleContext, id: string, step: number): Finding[] {
  const row = data.get(
    "select id, status, error_message, attempts from jobs where model_id = :id order by seq desc limit 1",
    { id },
  );
  if (row === undefined || row["status"] !== "failed") return [];
  const values = { message: textOrNull(row, "error_message") ?? "", attempts: number(row, "attempts") };
  return [{ rule: "job-failed", severity: "failure", step, values, filter: { page: "jobs", job: text(row, "id") } }];
}
