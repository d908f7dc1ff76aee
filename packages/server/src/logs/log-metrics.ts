import type { LogRequest, TrajectoryGroup } from "@trainyard/training";

/** The metrics that were calculated from a log. */
export interface LogMetrics {
  /** By full name: `{split}/{name}`. */
  readonly metrics: Record<string, number>;
  /** The caller's metrics that were left out, because the service calculates metrics of these names itself. */
  readonly ignored: readonly string[];
}

/** How many names are averaged: of one log, and of all logs of a checkpoint and split. */
export const mostNames = 2000;
/** How many of the names that were left out a response lists. */
export const mostIgnored = 20;

/** Names of the metrics that the service calculates itself. */
const reserved: readonly string[] = ["reward", "reward_std_dev", "exception_rate"];

/**
 * The metrics of a log: the mean reward over all trajectories, its deviation within groups, the rate of exceptions, and
 * the mean of each metric over the trajectories that have it. Metrics without values are left out. The service's own
 * names win over the caller's: the name of a metric must not end a training loop.
 */
export function logMetrics({ split, trajectory_groups: groups }: LogRequest): LogMetrics {
  const trajectories = groups.flatMap((group) => group.trajectories);
  const left = new Set<string>();
  const ofGroups = valuesByName(groups, (name) => left.add(`group_${name}`));
  const ofTrajectories = valuesByName(trajectories, (name) => left.add(name));
  const taken = new Set([...reserved, ...[...ofGroups.keys()].map((name) => `group_${name}`)]);
  const exceptions = groups.reduce((sum, group) => sum + (group.exceptions?.length ?? 0), 0);
  const results = new Map<string, number | undefined>();
  for (const [name, values] of ofTrajectories) if (!taken.has(name)) results.set(name, mean(values));
  for (const [name, values] of ofGroups) results.set(`group_${name}`, mean(values));
  results.set("reward", mean(trajectories.map(({ reward }) => reward ?? 0)));
  const attempts = trajectories.length + exceptions;
  if (attempts > 0) results.set("exception_rate", exceptions / attempts);
  if (trajectories.length > 0) results.set("reward_std_dev", mean(deviations(groups)) ?? 0);
  const known = [...results].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  // The service's own are never those that exceed the limit.
  if (known.length > mostNames) known.sort(([a], [b]) => Number(reserved.includes(b)) - Number(reserved.includes(a)));
  const metrics = Object.fromEntries(
    known.slice(0, mostNames).map(([name, value]) => [`${split}/${name}`, value] as const),
  );
  const ignored = [...ofTrajectories.keys()].filter((name) => taken.has(name));
  for (const [name] of known.slice(mostNames)) ignored.push(name);
  return { metrics, ignored: [...ignored, ...left].slice(0, mostIgnored) };
}

/** The population standard deviation of the rewards of each group that has at least two. */
function deviations(groups: readonly TrajectoryGroup[]): number[] {
  return groups.flatMap(({ trajectories }) => {
    const rewards = trajectories.map(({ reward }) => reward ?? 0);
    const center = mean(rewards);
    if (rewards.length < 2 || center === undefined) return [];
    const deviation = deviationOf(rewards, center);
    // Scale large values down first, so that their squares do not overflow.
    return [Number.isFinite(deviation) ? deviation : finite(deviationOf(rewards.map(small), small(center)) * 2 ** 600)];
  });
}

const small = (value: number): number => value / 2 ** 600;

function deviationOf(values: readonly number[], center: number): number {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / values.length);
}

/** @param ignore is called with names above the limit, whose values would only take time and memory */
function valuesByName(
  holders: readonly { metrics?: { [key: string]: number | boolean } }[],
  ignore: (name: string) => void,
): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const { metrics } of holders) {
    for (const name in metrics) {
      const list = values.get(name);
      if (list !== undefined) list.push(Number(metrics[name]));
      else if (values.size < mostNames) values.set(name, [Number(metrics[name])]);
      else ignore(name);
    }
  }
  return values;
}

/** Divides first, so that large values do not overflow on the way. */
function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sum = values.reduce((total, value) => total + value, 0);
  return Number.isFinite(sum) ? sum / values.length : finite(values.reduce((total, v) => total + v / values.length, 0));
}

/** JSON cannot represent infinity. */
function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
