import { rewardsDiffer } from "../rollouts/rewards-differ.ts";
import { criticalT, twoSidedP } from "./student-t.ts";

/** What `compare` reads of an evaluation. */
export interface Compared {
  readonly tasks: readonly {
    readonly id: string;
    readonly mean: number | null;
    readonly rewards?: readonly number[];
    readonly exceptions?: readonly unknown[];
  }[];
}

/** How the second of two evaluations differs from the first. */
export interface Comparison {
  /** By the interval of the whole: better above 0, worse below 0. Not shown if attempts that threw could change it. */
  readonly verdict: "better" | "worse" | "not shown";
  /** Why there is this verdict, as a sentence. */
  readonly why: string;
  /** The mean of the differences of the common tasks, second minus first; null without a common task. */
  readonly difference: number | null;
  /** Its standard error, √(Σ(d − mean)²/(m−1)) / √m; null if there is none, as are the three below. */
  readonly error: number | null;
  /** The 95 % interval of the difference. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly t: number | null;
  /** The two-sided p value of the paired t test. */
  readonly p: number | null;
  /** The common tasks in the order of the second, each with its two means. */
  readonly tasks: readonly {
    readonly id: string;
    readonly before: number;
    readonly after: number;
    readonly difference: number;
  }[];
  /** The tasks that only one of the two has a mean of. They are not compared. */
  readonly uncommon: readonly string[];
  /**
   * If at most a fifth of the tasks hold at least 80 % of the squared differences, these, the largest first; else none.
   * The interval is then too short below about 100 tasks: look at these tasks rather than at the mean.
   */
  readonly carriedBy: readonly string[];
}

const fewestTasks = 5;

/**
 * Compares two evaluations of the same tasks: the differences of the tasks' means, their mean, and its 95 % interval,
 * mean ± t(0.975, m−1) · sd/√m for m common tasks (the paired t test, Student 1908). Attempts at one task are not
 * independent, so a task counts once.
 *
 * An attempt that threw has no reward. The verdict is `not shown` if it would be another one with the lowest or the highest
 * reward for these attempts.
 */
export function compare(before: Compared, after: Compared): Comparison {
  const found = compareMeans(before, after);
  const [from, to] = [shareOfThrown(before), shareOfThrown(after)];
  if (from === 0 && to === 0) return found;
  const rewards = [before, after].flatMap(({ tasks }) => tasks.flatMap((task) => task.rewards ?? []));
  const low = rewards.reduce((least, one) => Math.min(least, one), Infinity);
  const high = rewards.reduce((most, one) => Math.max(most, one), -Infinity);
  if (rewards.length === 0) return found;
  const [worst, best] = [
    compareMeans(filled(before, high), filled(after, low)),
    compareMeans(filled(before, low), filled(after, high)),
  ];
  if (found.verdict === worst.verdict && found.verdict === best.verdict) return found;
  const percent = (share: number) => Math.round(share * 100);
  const bounds = [worst, best].map(({ difference }) => difference?.toFixed(3)).join(" and ");
  const why = `exceptions ${percent(from)} → ${percent(to)} %: with the lowest or the highest reward for these attempts, the mean changed by between ${bounds}.`;
  return { ...found, verdict: "not shown", why };
}

function shareOfThrown({ tasks }: Compared): number {
  const [thrown, ended] = [
    tasks.reduce((sum, { exceptions = [] }) => sum + exceptions.length, 0),
    tasks.reduce((sum, { rewards = [] }) => sum + rewards.length, 0),
  ];
  return thrown === 0 ? 0 : thrown / (thrown + ended);
}

/** An evaluation as if each attempt that threw had a reward. */
function filled({ tasks }: Compared, reward: number): Compared {
  return {
    tasks: tasks.map(({ id, mean, rewards = [], exceptions = [] }) => {
      const sum = rewards.reduce((all, one) => all + one, 0) + exceptions.length * reward;
      return { id, mean: exceptions.length === 0 ? mean : sum / (rewards.length + exceptions.length) };
    }),
  };
}

function compareMeans(before: Compared, after: Compared): Comparison {
  const earlier = new Map(before.tasks.map(({ id, mean }) => [id, mean]));
  const tasks = after.tasks.flatMap(({ id, mean }) => {
    const first = earlier.get(id) ?? null;
    return first === null || mean === null ? [] : [{ id, before: first, after: mean, difference: mean - first }];
  });
  const common = new Set(tasks.map(({ id }) => id));
  const uncommon = [...new Set([...before.tasks, ...after.tasks].map(({ id }) => id))].filter((id) => !common.has(id));
  const differences = tasks.map(({ difference }) => difference);
  const count = tasks.length;
  const difference = count === 0 ? null : differences.reduce((sum, one) => sum + one, 0) / count;
  const rest = { difference, tasks, uncommon, carriedBy: carriersOf(tasks) };
  const none = { ...rest, verdict: "not shown", error: null, interval: null, t: null, p: null } as const;
  if (difference === null || count < fewestTasks)
    return { ...none, why: `The two have ${count} tasks in common, and an interval needs at least ${fewestTasks}.` };
  // Measured against the means: what rounding leaves of equal ones is no spread.
  const scale = Math.max(...tasks.flatMap((task) => [Math.abs(task.before), Math.abs(task.after)]));
  if (!rewardsDiffer(differences.map((one) => one + scale)))
    return { ...none, why: "All tasks differ by the same amount: without spread, no error can be estimated." };
  const squares = differences.reduce((sum, one) => sum + (one - difference) ** 2, 0);
  const error = Math.sqrt(squares / (count - 1) / count);
  const t = difference / error;
  const half = criticalT(count - 1) * error;
  const interval = [difference - half, difference + half] as const;
  const verdict = interval[0] > 0 ? "better" : interval[1] < 0 ? "worse" : "not shown";
  const [low, high] = interval.map((bound) => bound.toFixed(3));
  const why = `The mean changed by ${difference.toFixed(3)} in ${count} tasks; its 95 % interval, ${low} to ${high}, ${verdict === "not shown" ? "contains" : "excludes"} 0.`;
  return { ...rest, verdict, why, error, interval, t, p: twoSidedP(t, count - 1) };
}

function carriersOf(tasks: Comparison["tasks"]): string[] {
  const sorted = tasks.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  const few = sorted.slice(0, Math.floor(tasks.length / 5));
  const sumOf = (some: typeof sorted) => some.reduce((sum, { difference }) => sum + difference ** 2, 0);
  const enough = 0.8 * sumOf(sorted);
  if (enough === 0 || sumOf(few) < enough) return [];
  return few.slice(0, few.findIndex((_, index) => sumOf(few.slice(0, index + 1)) >= enough) + 1).map(({ id }) => id);
}
