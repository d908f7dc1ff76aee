import { changeOf, type Change, type ValuesOf } from "./change.ts";
import type { GroupFigures, JobFigures, RunFigures, StepFigures } from "./history.ts";
import { attemptFlags } from "./reading.ts";
import { rewardsDiffer } from "../rollouts/rewards-differ.ts";

/** A result of a rule: figures by name, a sentence with them, and where to look at it. */
export interface Found {
  readonly severity: "failure" | "warning" | "note";
  readonly text: string;
  readonly values: Readonly<Record<string, number | string>>;
  /** The page of the console, and the query of its list. */
  readonly filter: Readonly<Record<string, string>>;
}

/** What a rule looks at. */
export interface Looked {
  readonly run: RunFigures;
  /** The newest step. */
  readonly now: StepFigures;
  /** The last two steps: an illness that lasts is in both. */
  readonly after: readonly StepFigures[];
  readonly before: readonly StepFigures[];
  readonly jobs: readonly JobFigures[];
  /** A reward as a part of the run's range: 0 is its lowest, 1 its highest. */
  readonly unit: (reward: number) => number;
  /** A change in parts of the range, as a reward. */
  readonly ofRange: (part: number) => number;
  readonly reward: Change | undefined;
}

/** A rule: what it found, null if nothing, or why it could not look, as a sentence. */
export type Rule = (looked: Looked) => Found | null | string;

/** The smallest effect, in parts of the range. */
const smallest = 0.05;

const tooFew = "Fewer than three steps have rewards that can be compared.";

export type RuleName =
  | "job-failed"
  | "exceptions-as-rewards"
  | "stale-policy"
  | "cut-by-length"
  | "no-movement"
  | "entropy-collapse"
  | "same-answers"
  | "train-over-held-out"
  | "length-hacking"
  | "drift"
  | "reward-fell"
  | "never-a-reward"
  | "no-signal"
  | "no-tool"
  | "single";

/** The rules, causes before what follows from them: of warnings, the first three are shown. */
export const rules: Readonly<Record<RuleName, Rule>> = {
  "job-failed": ({ jobs }) => {
    const { failure, id } = jobs.at(-1) ?? {};
    if (failure === undefined) return null;
    const filter = { page: "jobs", ...(id !== undefined && { job: id }) };
    return { severity: "failure", text: failure, values: { message: failure }, filter };
  },

  "exceptions-as-rewards": (looked) => {
    const { run, unit, after } = looked;
    const thrownBy = ({ thrown, errors, rewards }: GroupFigures): (string | null)[] => [
      ...rewards.map((reward, at) => (unit(reward) <= 0 ? (errors[at] ?? null) : null)),
      ...thrown,
    ];
    const types = groupsOf(after).flatMap((group) => thrownBy(group).flatMap((type) => type ?? []));
    if (types.length === 0) return null;
    const [[type, count] = ["", 0]] = [...countOf(types)].toSorted(([, a], [, b]) => b - a);
    const first = run.steps.find(({ groups }) => groups.some((group) => thrownBy(group).includes(type)))?.step ?? 0;
    const found = shareOf(looked, (group) => thrownBy(group).map((one) => one !== null), {
      rise: smallest,
      always: 0.1,
    });
    if (found.share < 0.02) return null;
    return {
      ...found,
      text: `${percent(found.share)} of the attempts of the last ${steps(after)} ended in an exception or with an error and the lowest reward; ${count} of them are ${type}, first at step ${first}.`,
      values: { share: found.share, count: types.length, type, first },
      filter: groupsOf(after).some(({ thrown }) => thrown.length > 0)
        ? filterOf(looked, "rollouts", { flag: "exception" })
        : filterOf(looked, "rollouts", { sort: "reward" }),
    };
  },

  "stale-policy": (looked) => {
    if (groupsOf(looked.after).every(({ lag }) => lag === null)) return "No attempt says which policy made it.";
    const found = shareOf(looked, flagged("stale"), { rise: 0.1, always: 0.1 });
    if (found.share === 0) return null;
    const lag = Math.max(...groupsOf(looked.after).map((group) => group.lag ?? 0));
    return {
      ...found,
      text: `${percent(found.share)} of the attempts of the last ${steps(looked.after)} (${found.count}) were made by a policy more than two steps old, at most ${lag} steps.`,
      values: { share: found.share, count: found.count, lag },
      filter: filterOf(looked, "rollouts", { flag: "stale" }),
    };
  },

  "cut-by-length": (looked) => {
    const found = shareOf(looked, flagged("cut"), { rise: 0.1 });
    if (found.share < 0.1) return null;
    return {
      ...found,
      text: `The token limit cut off ${percent(found.share)} of the answers of the last ${steps(looked.after)} (${found.count})${found.from === undefined ? "" : `, ${percent(found.from)} before`}.`,
      values: { share: found.share, count: found.count, ...(found.from !== undefined && { from: found.from }) },
      filter: filterOf(looked, "rollouts", { flag: "cut" }),
    };
  },

  "no-movement": ({ jobs, run }) => {
    const ended = jobs.filter(({ updates, failure }) => failure === undefined && updates.length > 0);
    if (ended.length === 0) return "No job reported a gradient step.";
    const still = ended.slice(ended.findLastIndex((job) => !isStill(job, run)) + 1);
    if (still.length < 2) return null;
    const norm = mean(still.flatMap(({ updates }) => updates.flatMap((update) => update["gradient_norm"] ?? [])));
    return {
      severity: "warning",
      text: `The last ${still.length} jobs trained at a rate or with a gradient of 0, although rewards of their groups differ${norm === undefined ? "" : `; the gradient norm is ${short(norm)}`}.`,
      values: { jobs: still.length, ...(norm !== undefined && { gradient_norm: norm }) },
      filter: { page: "jobs" },
    };
  },

  "entropy-collapse": (looked) => {
    // The mean of −log p of sampled tokens estimates the entropy, also of groups that no job trains on.
    const entropyOf = ({ groups }: StepFigures) => {
      const known = groups.filter(({ nats, tokens }) => nats !== null && tokens.every((one) => one !== null));
      const tokens = sum(known, (group) => sum(group.tokens, Number) / group.tokens.length);
      return tokens === 0 ? [] : [sum(known, ({ nats }) => nats ?? 0) / tokens];
    };
    const from = median(looked.before.slice(-5).flatMap(entropyOf));
    const last = looked.after.flatMap(entropyOf);
    const to = last.at(-1);
    if (from === undefined || to === undefined)
      return "Too few attempts were logged with the log probabilities of their tokens.";
    if (to >= 0.2 * from) return null;
    const { reward, run, now, unit } = looked;
    // At once, with a fall of the reward that is as sudden; or for two steps.
    const fall = changeOf(run.steps.slice(0, -1), [now], ({ rewards }) => rewards.map(unit));
    const isSudden = fall !== undefined && fall.change < -Math.max(0.2, fall.least);
    const fell = reward !== undefined && reward.change < -Math.max(smallest, reward.least / 2);
    const stuck = flatBelow(looked, looked.after).share;
    const isLasting = last.every((entropy) => entropy < 0.2 * from) && (fell || stuck >= 0.4);
    if (!isSudden && !isLasting) return null;
    const level = rewardOf(looked);
    return {
      severity: "warning",
      text: `The entropy of the answers went from ${short(from)} to ${short(to)} nats a token, and the reward is not at the top: it is ${short(level)}, and ${percent(stuck)} of groups have equal rewards below the best of their task.`,
      values: { from, to, reward: level, share: stuck },
      filter: filterOf(looked, "groups", { sort: "mean" }),
    };
  },

  "same-answers": (looked) => {
    const severalOf = ({ groups }: StepFigures) => groups.filter(({ rewards }) => rewards.length > 1);
    const several = looked.after.flatMap(severalOf);
    if (several.length === 0) return "No group has more than one attempt.";
    const isOne = ({ answers }: GroupFigures) => answers === 1;
    const [one, share] = [several.filter(isOne), several.filter(isOne).length / several.length];
    // How improbable it is, in nats, that all attempts are the same if the model samples them: at temperature 0 they always are.
    const same = looked.run.steps.slice(looked.run.steps.findLastIndex((step) => !severalOf(step).every(isOne)) + 1);
    const nats = sum(same.flatMap(severalOf), (group) => (group.rewards.length - 1) * (group.nats ?? 0));
    const isCold = same.length > 1 && nats > 10;
    // Without log probabilities: nearly all groups, and the reward is not at the top.
    const isStuck =
      share >= 0.9 && one.every(({ nats }) => nats === null) && flatBelow(looked, looked.after).share >= 0.5;
    if (!isCold && !isStuck) return null;
    const why = isCold
      ? "the model gives this a probability below 1 in 20,000: they were hardly sampled at temperature 1"
      : "half of them have a reward below the best of their task";
    return {
      severity: "warning",
      text: `All attempts of ${one.length} of the ${several.length} groups of the last ${steps(looked.after)} have the same answer, and ${why}.`,
      values: { share, count: one.length },
      filter: filterOf(looked, "rollouts", { flag: "same-answer" }),
    };
  },

  "train-over-held-out": (looked) => {
    const { run, unit, after, before, reward } = looked;
    const [first, since] = [after[0]?.step ?? 0, before[0]?.step ?? 0];
    const [later, earlier] = [
      run.val.filter(({ step }) => step >= first),
      run.val.filter(({ step }) => step < first && step >= since),
    ];
    const val = changeOf(earlier, later, ({ rewards }) => rewards.map(unit));
    if (later.length === 0 || val === undefined) return "No split val is logged at these steps and before them.";
    if (reward === undefined) return tooFew;
    const [from, to] = [reward.from - val.from, reward.to - val.to];
    const growth = reward.change - val.change;
    const isRising = val.change > 0.4 * reward.change;
    if (growth < 0.1 || growth < 0.75 * Math.hypot(reward.least, val.least) || isRising || reward.change < smallest)
      return null;
    return {
      severity: "warning",
      text: `The lead of train over val went from ${signed(looked.ofRange(from))} to ${signed(looked.ofRange(to))} in the last ${steps(after)}, and val changed by ${signed(looked.ofRange(val.change))}.`,
      values: { from: looked.ofRange(from), to: looked.ofRange(to), val: looked.ofRange(val.change) },
      filter: { page: "rollouts", step: String(later.at(-1)?.step), split: "val", sort: "reward" },
    };
  },

  "length-hacking": (looked) => {
    const length = changeOf(looked.before, looked.after, ({ tokens }) => tokens);
    if (length === undefined) return "Too few attempts were logged with their tokens.";
    const last = changeOf(looked.before, [looked.now], ({ tokens }) => tokens);
    if (length.to < 1.5 * length.from || length.change < length.least || (last?.to ?? 0) < 1.5 * length.from)
      return null;
    const { reward } = looked;
    if (reward === undefined) return tooFew;
    const metrics = checkedMetrics(looked);
    const still = metrics.find(
      ({ change, top }) => change.change <= Math.max(0.02 * top, change.error) && change.to < 0.95 * top,
    );
    const isRising = reward.change > Math.max(reward.error, 0.02);
    if (still === undefined && (metrics.length > 0 || isRising || levelOf(looked, looked.after) > 0.95)) return null;
    const [what, of] =
      still === undefined ? ["the reward", looked.ofRange(reward.change)] : [still.name, still.change.change];
    return {
      severity: "warning",
      text: `Answers went from ${short(length.from)} to ${short(length.to)} tokens in the last ${steps(looked.after)}, ${still === undefined ? "" : `the reward changed by ${signed(looked.ofRange(reward.change))}, `}and ${what} by ${signed(of)}.`,
      values: {
        from: length.from,
        to: length.to,
        reward: looked.ofRange(reward.change),
        ...(still && { metric: still.name, change: still.change.change }),
      },
      filter: filterOf(looked, "rollouts", { sort: "-tokens" }),
    };
  },

  drift: (looked) => {
    const { jobs, reward, before, now } = looked;
    const figures = jobs.flatMap(
      ({ updates }) => mean(updates.flatMap((one) => one["kl_reference"] ?? one["kl_ref"] ?? [])) ?? [],
    );
    const [from, to] = [median(figures.slice(0, -2).slice(-5)) ?? figures[0], figures.at(-1)];
    if (from === undefined || to === undefined || figures.length < 2)
      return "Fewer than two jobs reported a KL to the reference.";
    const metrics = checkedMetrics(looked);
    if (metrics.length === 0) return "No metric that goes with the reward is logged.";
    const isRising = levelOf(looked, [now]) - levelOf(looked, before.slice(-1)) > smallest;
    if (to <= from || reward === undefined || (reward.change < -reward.error && !isRising)) return null;
    const fell = metrics.find(({ top, change, last }) =>
      [change, last].some((one) => one !== undefined && one.change < -Math.max(smallest * top, one.least)),
    );
    if (fell === undefined) return null;
    return {
      severity: "warning",
      text: `The KL to the reference went from ${short(from)} to ${short(to)} nats a token; ${fell.name} fell from ${short(fell.change.from)} to ${short(fell.change.to)}, while the reward changed by ${signed(looked.ofRange(reward.change))}.`,
      values: { from, to, metric: fell.name, metric_from: fell.change.from, metric_to: fell.change.to },
      filter: { page: "jobs" },
    };
  },

  "reward-fell": (looked) => {
    const { reward, after, before } = looked;
    if (reward === undefined) return tooFew;
    // Other tasks may be harder: without common tasks, nobody can tell.
    if (reward.tasks.length === 0) return "The last steps have too few tasks in common with those before.";
    if (reward.change > -Math.max(smallest, reward.least)) return null;
    const last = changeOf(before, [looked.now], ({ rewards }) => rewards.map(looked.unit));
    if (last === undefined || last.change > -Math.max(smallest, reward.least) / 2) return null;
    const tasks = fallenOf(reward);
    const names = namesOf(tasks.map(({ name }) => name));
    const fall = { change: looked.ofRange(reward.change), error: looked.ofRange(reward.error) };
    return {
      severity: "warning",
      text: `The reward fell by ${short(-fall.change)} ± ${short(fall.error)} in the last ${steps(after)}, in ${tasks.length} of ${reward.tasks.length} tasks: ${names}.`,
      values: { ...fall, tasks: tasks.length, of: reward.tasks.length, names },
      filter: filterOf(looked, "groups", { sort: "flagged" }),
    };
  },

  "never-a-reward": (looked) => {
    const { run, unit, after } = looked;
    const tasks = new Map<string, { name: string; attempts: number; groups: number; isTried: boolean }>();
    const isNever = ({ rewards }: GroupFigures) => rewards.every((reward) => unit(reward) <= 1e-9);
    const last = new Map<string, GroupFigures[]>();
    for (const { groups } of run.steps)
      for (const group of groups)
        if (group.rewards.length > 0) last.set(group.task, [...(last.get(group.task) ?? []), group]);
    const current = groupsOf(after).filter(({ rewards }) => rewards.length > 0);
    for (const [task, groups] of last) {
      // The groups since the last reward, and how often there was one until then.
      const at = groups.findLastIndex((group) => !isNever(group)) + 1;
      const [earlier, since] = [groups.slice(0, at).flatMap(({ rewards }) => rewards), groups.slice(at)];
      const attempts = sum(since, ({ rewards }) => rewards.length);
      const rate = (earlier.filter((reward) => unit(reward) > 1e-9).length + 1) / (earlier.length + 2);
      const own = current.filter((group) => group.task === task);
      if (own.length === 0 || !own.every(isNever) || attempts < 8 || since.length < 2) continue;
      if (earlier.length > 0 && (1 - rate) ** attempts > 1e-3) continue;
      // A model that says the same each time has not tried much.
      const isTried = since.every(({ answers, rewards: { length } }) => answers > 1 || length === 1);
      tasks.set(task, { name: groups.at(-1)?.name ?? task, attempts, groups: own.length, isTried });
    }
    const attempts = sum([...tasks.values()], (task) => task.attempts);
    const shareOfGroups = (some: readonly { readonly groups: number }[]) =>
      sum(some, ({ groups }) => groups) / current.length;
    const share = shareOfGroups([...tasks.values()]);
    if (attempts < 64 || (share < 0.5 && shareOfGroups([...tasks.values()].filter(({ isTried }) => isTried)) < 0.25))
      return null;
    const names = namesOf([...tasks.values()].map(({ name }) => name));
    return {
      severity: "warning",
      text: `None of the last ${attempts} attempts at ${tasks.size === 1 ? "a task" : `${tasks.size} tasks`} got a reward above the lowest: ${names}. Fine-tune the model on a few right answers first, or make the task easier.`,
      values: { tasks: tasks.size, attempts, names, share },
      filter: filterOf(looked, "groups", { flag: "flat-low" }),
    };
  },

  "no-signal": (looked) => {
    const { after, before, run } = looked;
    const [now, past, all] = [flatBelow(looked, after), flatBelow(looked, before), flatBelow(looked, run.steps)];
    if (now.compared === 0) return "No group has two rewards to compare.";
    const chance = ((past.any + 1) / (past.compared + 2)) ** now.compared;
    const isNew = now.share >= 0.8 && chance < 1e-4 && past.compared > 0;
    const isLasting = all.share >= 0.9 && run.steps.length >= 5 && all.compared >= 20;
    // Everything is at the top at once, although the answers differ as before: the reward no longer tells them apart.
    const isConstant =
      now.any === now.compared &&
      chance < 1e-6 &&
      levelOf(looked, before.slice(-2)) < 0.6 &&
      now.answers >= 0.8 * past.answers &&
      past.compared > 0;
    const share = isConstant ? 1 : now.share;
    if (share < 0.25) return null;
    return {
      severity: isNew || isLasting || isConstant ? "warning" : "note",
      text: `All rewards of ${percent(share)} of the groups of the last ${steps(after)} are equal, ${percent(isConstant ? now.high : now.highBelow)} in the upper half of the range (too easy) and ${percent(share - (isConstant ? now.high : now.highBelow))} in the lower half (too hard); ${percent(past.any / Math.max(1, past.compared))} before.`,
      values: {
        share,
        high: isConstant ? now.high : now.highBelow,
        low: share - (isConstant ? now.high : now.highBelow),
      },
      filter: filterOf(looked, "groups", { flag: now.level >= 0.5 ? "flat-high" : "flat-low" }),
    };
  },

  "no-tool": (looked) => {
    const found = shareOf(looked, flagged("no-tool"), { rise: 0.1 });
    if (found.share === 0) return null;
    return {
      ...found,
      text: `Their reward is at least the mean of a group in which half of the attempts called a tool: ${percent(found.share)} of the last ${steps(looked.after)}.`,
      values: { count: found.count, share: found.share },
      filter: filterOf(looked, "rollouts", { flag: "no-tool", sort: "-reward" }),
    };
  },

  single: (looked) => {
    const groups = looked.now.groups.filter(({ rewards }) => rewards.length > 0);
    if (groups.length === 0 || groups.some(({ rewards }) => rewards.length > 1)) return null;
    return {
      severity: "note",
      text: `All ${groups.length} groups of step ${looked.now.step} have only one attempt, so nothing is learned by comparison.`,
      values: { groups: groups.length },
      filter: filterOf(looked, "groups", { flag: "single" }),
    };
  },
};

/** The tasks whose reward fell by more than its error and by the smallest effect, those that carry most of it first. */
export function fallenOf(reward: Change | undefined): Change["tasks"] {
  return (reward?.tasks ?? [])
    .filter(({ change, error }) => change < -Math.max(smallest, 2 * error))
    .toSorted((a, b) => a.change * a.weight - b.change * b.weight);
}

/** A share of the attempts of the last steps. It is a warning if it rose, or if it is always at least as high. */
function shareOf(
  { before, after }: Looked,
  isOne: (group: GroupFigures) => readonly boolean[],
  { rise, always = Infinity }: { rise: number; always?: number },
): Pick<Found, "severity"> & { share: number; count: number; from?: number } {
  const valuesOf: ValuesOf = (group) => isOne(group).map(Number);
  const shares = after.map(({ groups }) => mean(groups.flatMap(valuesOf) as number[]) ?? 0);
  const values = groupsOf(after).flatMap(valuesOf) as number[];
  const change = changeOf(before, after, valuesOf);
  const rose =
    change !== undefined &&
    change.change >= Math.max(rise, change.least) &&
    shares.every((one) => one - change.from >= rise / 2);
  const isWarning = rose || (shares.length > 1 && shares.every((one) => one >= always));
  const [share, count] = [mean(values) ?? 0, sum(values, Number)];
  return { severity: isWarning ? "warning" : "note", share, count, ...(change && { from: change.from }) };
}

const flagged = (flag: keyof typeof attemptFlags) => (group: GroupFigures) =>
  group.marks.map((mark) => (mark & attemptFlags[flag]) !== 0);

/** Metrics that went with the reward until the last steps, so that they check it, with their highest value. */
function checkedMetrics({ before, after, now, run, unit }: Looked) {
  const names = new Set(groupsOf(after).flatMap(({ metrics }) => Object.keys(metrics)));
  // Without the newest of them, which may already have another reward.
  const earlier = groupsOf(before.length > 1 ? before.slice(0, -1) : before);
  return [...names].flatMap((name) => {
    const pairs = earlier.flatMap(({ metrics, rewards }) =>
      rewards.flatMap((reward, at) => {
        const value = metrics[name]?.[at];
        return value == null ? [] : [[unit(reward), value] as const];
      }),
    );
    const valuesOf: ValuesOf = ({ metrics, rewards }) => rewards.map((_, at) => metrics[name]?.[at]);
    const [change, last] = [changeOf(before, after, valuesOf), changeOf(before, [now], valuesOf)];
    const top = groupsOf(run.steps).reduce(
      (most, { metrics }) =>
        Object.values(metrics[name] ?? {}).reduce<number>((high, one) => Math.max(high, one ?? 0), most),
      0,
    );
    return change !== undefined && top > 0 && goesWithReward(pairs) ? [{ name, top, change, last }] : [];
  });
}

/** Whether a metric is correlated with the reward, or both are at the top all the time. */
function goesWithReward(pairs: readonly (readonly [reward: number, value: number])[]): boolean {
  if (pairs.length < 16) return false;
  const [x, y] = [mean(pairs.map(([reward]) => reward)) ?? 0, mean(pairs.map(([, value]) => value)) ?? 0];
  const [xx, yy] = [sum(pairs, ([reward]) => (reward - x) ** 2), sum(pairs, ([, value]) => (value - y) ** 2)];
  if (yy === 0) return y > 0 && x > 0.9;
  return sum(pairs, ([reward, value]) => (reward - x) * (value - y)) >= 0.3 * Math.sqrt(xx * yy) && xx > 0;
}

/** Of the groups with at least two rewards: how many are flat, and the share of those below the best reward of their task. */
function flatBelow(looked: Looked, steps: readonly StepFigures[]) {
  const groups = groupsOf(steps).filter(({ rewards }) => rewards.length > 1);
  const flat = groups.filter(isFlat);
  const below = flat.filter((group) => isBelow(looked, group));
  const high = (some: readonly GroupFigures[]) =>
    some.filter(({ rewards: [reward = 0] }) => looked.unit(reward) >= 0.5).length / Math.max(1, groups.length);
  return {
    compared: groups.length,
    any: flat.length,
    share: below.length / Math.max(1, groups.length),
    high: high(flat),
    highBelow: high(below),
    level: mean(groups.flatMap(({ rewards }) => rewards.map(looked.unit))) ?? 0,
    answers: mean(groups.map(({ answers, rewards }) => answers / rewards.length)) ?? 0,
  };
}

function isFlat({ rewards }: GroupFigures): boolean {
  return rewards.length > 1 && !rewardsDiffer(rewards);
}

/** Whether the first reward of a group is below the best one of its task; the run's own for a task that had no other. */
function isBelow({ run, unit }: Looked, { task, rewards: [reward = 0] }: GroupFigures): boolean {
  return unit(reward) < unit(run.best.get(task) ?? reward) - smallest || unit(reward) <= 1e-9;
}

/** Whether a job trained without moving the model, although there was something to learn. */
function isStill({ step, updates }: JobFigures, run: RunFigures): boolean {
  const groups = run.steps.find((one) => one.step === step - 1)?.groups ?? [];
  const trainable =
    updates[0]?.["num_groups_trainable"] ?? groups.filter(({ rewards }) => rewardsDiffer(rewards)).length;
  return trainable > 0 && updates.every((update) => update["learning_rate"] === 0 || update["gradient_norm"] === 0);
}

/** The mean reward of steps, in parts of the range. */
function levelOf({ unit }: Looked, steps: readonly StepFigures[]): number {
  return mean(groupsOf(steps).flatMap(({ rewards }) => rewards.map(unit))) ?? 0;
}

function rewardOf({ after }: Looked): number {
  return mean(groupsOf(after).flatMap(({ rewards }) => rewards)) ?? 0;
}

function filterOf({ now, run }: Looked, page: string, query: Readonly<Record<string, string>>): Found["filter"] {
  return { page, step: String(now.step), split: run.split, ...query };
}

function groupsOf(steps: readonly StepFigures[]): GroupFigures[] {
  return steps.flatMap(({ groups }) => groups);
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The mean, also of numbers whose sum would be too large. */
function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((all, value) => all + value / values.length, 0);
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((all, item) => all + of(item), 0);
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

const steps = (some: readonly unknown[]) => (some.length === 1 ? "step" : `${some.length} steps`);
const percent = (part: number) => `${Math.round(part * 100)} %`;
const signed = (value: number) => (value < 0 ? `−${short(-value)}` : `+${short(value)}`);

/** A number with two significant digits, in words of JSON: `0.27`, `120`, `1.2e-6`. */
function short(value: number): string {
  return String(
    Math.abs(value) >= 100 && Math.abs(value) < 1e15 ? Math.round(value) : Number(value.toPrecision(2)),
  ).replace("-", "−");
}
