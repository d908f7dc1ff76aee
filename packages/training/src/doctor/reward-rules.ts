import { changeOf, sum } from "./change.ts";
import type { GroupFigures } from "./history.ts";
import {
  checkedMetrics,
  fallenOf,
  fallOf,
  filterOf,
  flagged,
  flatBelow,
  groupsOf,
  levelOf,
  mean,
  median,
  namesOf,
  percent,
  shareOf,
  short,
  signed,
  smallest,
  steps,
  tooFew,
  type Rule,
  type RewardRule,
} from "./looked.ts";

/** Rules for rewards, and for what rises or falls with them. */
export const rewardRules: Readonly<Record<RewardRule, Rule>> = {
  "train-over-held-out": (looked) => {
    const { run, unit, after, before, reward } = looked;
    const [first, since] = [after[0]?.step ?? 0, before[0]?.step ?? 0];
    const earlier = run.val.filter(({ step }) => step < first && step >= since);
    const rewardsOf = ({ rewards }: GroupFigures) => rewards.map(unit);
    // While the lead grows, the last two steps differ, so that the newest alone may be the better evidence.
    const leads = [after, after.slice(-1)].flatMap((last) => {
      const later = run.val.filter(({ step }) => step >= (last[0]?.step ?? 0));
      const [train, val] = [changeOf(before, last, rewardsOf), changeOf(earlier, later, rewardsOf)];
      return train === undefined || val === undefined ? [] : [{ last, later, train, val }];
    });
    if (reward === undefined) return tooFew;
    if (leads.length === 0) return "No split val is logged at these steps and before them.";
    const lead = leads.find(({ train, val }) => {
      const growth = train.change - val.change;
      const isRising = val.change > 0.4 * train.change;
      return (
        growth >= Math.max(0.1, 0.75 * Math.hypot(train.least, val.least)) && !isRising && train.change >= smallest
      );
    });
    if (lead === undefined) return null;
    const { last, later, train, val } = lead;
    const [from, to] = [train.from - val.from, train.to - val.to];
    return {
      severity: "warning",
      text: `The lead of train over val went from ${signed(looked.ofRange(from))} to ${signed(looked.ofRange(to))} in the last ${steps(last)}, and val changed by ${signed(looked.ofRange(val.change))}.`,
      values: { from: looked.ofRange(from), to: looked.ofRange(to), val: looked.ofRange(val.change) },
      filter: { page: "rollouts", step: String(later.at(-1)?.step), split: "val", sort: "reward" },
    };
  },

  "length-hacking": (looked) => {
    const length = changeOf(looked.before, looked.after, ({ tokens }) => tokens);
    if (length === undefined) return "Too few attempts were logged with their tokens.";
    const last = changeOf(looked.before, [looked.now], ({ tokens }) => tokens);
    // While answers grow, the last two steps differ, so that the newest alone may be the better evidence.
    const isMore = [length, last].some((one) => one !== undefined && one.change >= one.least);
    if (!isMore || length.to < 1.5 * length.from || (last?.to ?? 0) < 1.5 * length.from) return null;
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
    const { reward, after } = looked;
    if (reward === undefined) return tooFew;
    // Other tasks may be harder: without common tasks, nobody can tell.
    if (reward.tasks.length === 0) return "The last steps have too few tasks in common with those before.";
    const fall = fallOf(looked);
    if (fall === undefined) return null;
    const { change: by, isLasting } = fall;
    const tasks = fallenOf(by);
    const names = namesOf(tasks.map(({ name }) => name));
    const [change, error] = [looked.ofRange(by.change), looked.ofRange(by.error)];
    return {
      // One step alone may be chance, or a batch that was harder.
      severity: isLasting ? "warning" : "note",
      text: `The reward fell by ${short(-change)} ± ${short(error)} in the last ${isLasting ? steps(after) : "step"}, in ${tasks.length} of ${by.tasks.length} tasks: ${names}.`,
      values: { change, error, tasks: tasks.length, of: by.tasks.length, names },
      filter: filterOf(looked, "groups", { sort: "flagged" }),
    };
  },

  "never-a-reward": (looked) => {
    const { run, unit, after } = looked;
    const tasks = new Map<string, { name: string; attempts: number; groups: number; isTried: boolean }>();
    const isNever = ({ rewards }: GroupFigures) => rewards.every((reward) => unit(reward) <= 1e-9);
    const current = groupsOf(after).filter(({ rewards }) => rewards.length > 0);
    const ownOf = byTask(current);
    for (const [task, groups] of byTask(groupsOf(run.steps).filter(({ rewards }) => rewards.length > 0))) {
      // The groups since the last reward, and how often there was one until then.
      const at = groups.findLastIndex((group) => !isNever(group)) + 1;
      const [earlier, since] = [groups.slice(0, at).flatMap(({ rewards }) => rewards), groups.slice(at)];
      const attempts = sum(since, ({ rewards }) => rewards.length);
      const rate = (earlier.filter((reward) => unit(reward) > 1e-9).length + 1) / (earlier.length + 2);
      const own = ownOf.get(task) ?? [];
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

function byTask(groups: readonly GroupFigures[]): ReadonlyMap<string, readonly GroupFigures[]> {
  const tasks = new Map<string, GroupFigures[]>();
  for (const group of groups) {
    const own = tasks.get(group.task);
    if (own) own.push(group);
    else tasks.set(group.task, [group]);
  }
  return tasks;
}
