import type { LogRequest, TrajectoryGroup } from "@trainyard/training";

/** Names that belong to the service: a metric of the caller must not have them. */
export function isReservedMetric(name: string): boolean {
  return name === "reward" || name === "reward_std_dev" || name === "exception_rate" || name.startsWith("group_");
}

/** The first place of a metric whose name belongs to the service. */
export function reservedMetric(request: LogRequest): (string | number)[] | undefined {
  for (const [group, { trajectories }] of request.trajectory_groups.entries()) {
    for (const [index, { metrics }] of trajectories.entries()) {
      const name = Object.keys(metrics ?? {}).find(isReservedMetric);
      if (name !== undefined) return ["body", "trajectory_groups", group, "trajectories", index, "metrics", name];
    }
  }
  return undefined;
}

/**
 * The metrics of what was logged, as `{split}/{name}`: mean reward over all trajectories, its deviation within groups,
 * the rate of exceptions, and the mean of each metric over those that have it. One without values is left out.
 */
export function logMetrics({ split, trajectory_groups: groups }: LogRequest): Record<string, number> {
  const trajectories = groups.flatMap((group) => group.trajectories);
  const exceptions = groups.reduce((sum, group) => sum + (group.exceptions?.length ?? 0), 0);
  const results = new Map<string, number | undefined>();
  for (const [name, values] of valuesByName(trajectories)) results.set(name, mean(values));
  for (const [name, values] of valuesByName(groups)) results.set(`group_${name}`, mean(values));
  results.set("reward", mean(trajectories.map(({ reward }) => reward ?? 0)));
  const attempts = trajectories.length + exceptions;
  if (attempts > 0) results.set("exception_rate", exceptions / attempts);
  if (trajectories.length > 0) results.set("reward_std_dev", mean(deviations(groups)) ?? 0);
  return Object.fromEntries(
    [...results].flatMap(([name, value]) => (value === undefined ? [] : [[`${split}/${name}`, value] as const])),
  );
}

/** The population standard deviation of the rewards of each group that has at least two. */
function deviations(groups: readonly TrajectoryGroup[]): number[] {
  return groups.flatMap(({ trajectories }) => {
    const rewards = trajectories.map(({ reward }) => reward ?? 0);
    const center = mean(rewards);
    if (rewards.length < 2 || center === undefined) return [];
    return [finite(Math.sqrt(mean(rewards.map((reward) => (reward - center) ** 2)) ?? 0))];
  });
}

function valuesByName(holders: readonly { metrics?: { [key: string]: number | boolean } }[]): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const { metrics } of holders) {
    for (const [name, value] of Object.entries(metrics ?? {})) {
      const list = values.get(name) ?? [];
      values.set(name, list);
      list.push(Number(value));
    }
  }
  return values;
}

/** Divides first, so that large values do not leave the range of numbers on the way. */
function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sum = values.reduce((total, value) => total + value, 0);
  return Number.isFinite(sum) ? sum / values.length : finite(values.reduce((total, v) => total + v / values.length, 0));
}

/** JSON has no word for what is beyond all numbers. */
function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
