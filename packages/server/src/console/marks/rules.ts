import { Sum } from "../step-summary.ts";
import { changeOf, pooled, type Change } from "./change.ts";
import type { Fall, Series } from "./series.ts";

/** The figures of a mark, by name, for its sentence. */
export type Figures = Readonly<Record<string, number | string>>;

/** What a rule says of the run (""), or of each task or metric that it was asked about: figures, or false. */
type Answers = ReadonlyMap<string, Figures | false>;

/** What is counted of a step. */
type Count = "attempts" | "thrown" | "compared" | "flat" | "cut" | "answered" | "said" | "same";
export type Counts = Readonly<Record<Count, number>>;

/** A group with the values of each metric by the place of the attempt. */
export interface Group {
  readonly task: string;
  readonly rewards: readonly number[];
  readonly metrics: Readonly<Record<string, Readonly<Record<number, number | null>>>>;
}

/** What the rules look at, at one step. */
export interface Looked {
  /** The range of the rewards until now: from 0 to 1, or wider. */
  readonly span: number;
  readonly reward: Series;
  /** The tasks and the metrics of this step. */
  readonly tasks: ReadonlyMap<string, Series>;
  readonly metrics: ReadonlyMap<string, Series>;
  /** Those of the newest three steps, this one last. */
  readonly counts: readonly Counts[];
  readonly first: readonly number[];
  readonly groupsAt: (step: number) => readonly Group[];
}

interface Rule {
  readonly says: (figures: Figures, of: string) => string;
  readonly look: (looked: Looked) => Answers;
}

/** The least fall, as a part of the range: of the mean, and of a task alone. */
const [least, leastOfTask] = [1 / 20, 1 / 4];

export type RuleName = "reward-fell" | "no-signal" | "same-answers" | "cut-off" | "threw" | "metric-fell";

export const rules: Readonly<Record<RuleName, Rule>> = {
  "reward-fell": {
    says: (figures, of) =>
      `The mean reward ${of && `of the task ${of} `}fell ${fromTo(figures)}, by ${short(figures["by"])} ± ${short(figures["error"])}.`,
    look: (looked) => {
      const fell = rewardFell(looked);
      if (fell === undefined || fell) return new Map(fell ? [["", fell]] : []);
      // What fell as a whole is not said again task by task.
      return new Map([["", fell], ...answersOf(looked.tasks, (fall) => taskFell(fall, looked.span))]);
    },
  },
  "no-signal": shareRule("flat", "compared", 1 / 2, "of the groups have equal rewards", rewardFell),
  "same-answers": shareRule("same", "said", 1 / 2, "of the attempts are the same text", rewardFell),
  "cut-off": shareRule("cut", "answered", 1 / 4, "of the answers were ended by the token limit"),
  threw: shareRule("thrown", "attempts", 1 / 10, "of the attempts ended in an exception"),
  "metric-fell": {
    says: (figures, of) =>
      `${of} went with the reward over the first steps, and fell ${fromTo(figures)}, while the reward rose from ${short(figures["reward_from"])} to ${short(figures["reward_to"])}.`,
    look: (looked) => answersOf(looked.metrics, (fall, name, series) => metricFell(looked, name, series, fall)),
  },
};

function answersOf(all: Looked["tasks"], ask: (fall: Fall, of: string, series: Series) => Figures | false): Answers {
  return new Map([...all].flatMap(([of, one]) => (one.fall ? [[of, one.fall.by > 0 && ask(one.fall, of, one)]] : [])));
}

/** The share in this step and in the newest three together is above a limit, so that one odd attempt of few is none. */
function shareRule(part: Count, whole: Count, limit: number, what: string, also?: typeof rewardFell): Rule {
  return {
    says: (figures) =>
      `${Math.round(Number(figures["share"]) * 100)} % ${what}${also ? `, while the mean reward fell ${fromTo(figures)}` : ""}.`,
    look: (looked) => {
      const sum = (of: Count) => looked.counts.reduce((all, counts) => all + counts[of], 0);
      const now = looked.counts.at(-1);
      if (now === undefined || now[whole] === 0) return new Map();
      const share = now[part] / now[whole];
      const figures = share > limit && sum(part) / sum(whole) > limit && (also ? also(looked) : {});
      return new Map([["", figures ? { share, count: now[part], ...figures } : false]]);
    },
  };
}

/** Whether the newest three steps are below the best three by more than the error allows; undefined before the fourth. */
function rewardFell(looked: Looked): Figures | false | undefined {
  const { fall } = looked.reward;
  return fall && fall.by > 0 ? fellBy(fall, changeIn(looked, fall, looked.span), least * looked.span) : fall && false;
}

function taskFell(fall: Fall, span: number): Figures | false {
  const sumOf = (points: Fall["before"]) => Sum.of(points.map(([, sum]) => sum));
  return fellBy(fall, pooled([[sumOf(fall.before), sumOf(fall.newest)]], span, 5), leastOfTask * span);
}

function metricFell(looked: Looked, name: string, series: Series, fall: Fall): Figures | false {
  // What fell from the start never went with the reward.
  if (series.isHighestAtFirst) return false;
  const range = series.high - series.low;
  const fell = fellBy(fall, changeIn(looked, fall, range, name), least * range);
  const reward = fell ? changeIn(looked, fall, looked.span) : undefined;
  if (reward === undefined || reward.change <= 2 * reward.error || !wentWithReward(looked, name, fall)) return false;
  return { ...fell, reward_from: reward.from, reward_to: reward.to };
}

function changeIn({ groupsAt }: Looked, fall: Fall, span: number, metric?: string): Change | undefined {
  const valuesOf = (points: Fall["before"]) =>
    points
      .flatMap(([step]) => groupsAt(step))
      .map(({ task, rewards, metrics }) => {
        const values = metric === undefined ? rewards : Object.values(metrics[metric] ?? {});
        return [task, values.filter((value) => value !== null)] as const;
      });
  return changeOf(valuesOf(fall.before), valuesOf(fall.newest), span);
}

/** Whether a metric and the reward are correlated over the first steps, or some of them: by 0.3, and by four errors. */
function wentWithReward({ first, groupsAt }: Looked, metric: string, { before }: Fall): boolean {
  const [x, y, both] = [new Sum(), new Sum(), new Sum()];
  return first.some((step) => {
    if (step > (before.at(-1)?.[0] ?? 0)) return false;
    for (const { rewards, metrics } of groupsAt(step))
      for (const [place, value] of Object.entries(metrics[metric] ?? {})) {
        const reward = rewards[Number(place)];
        if (reward === undefined || value === null) continue;
        x.add(reward);
        y.add(value);
        both.add(reward * value);
      }
    const { count: n } = x;
    const r = (n * ((both.mean ?? 0) - (x.mean ?? 0) * (y.mean ?? 0))) / Math.sqrt(x.within * y.within);
    return r >= 0.3 && r * Math.sqrt((n - 2) / Math.max(1e-9, 1 - r * r)) >= 4;
  });
}

function fellBy({ before }: Fall, change: Change | undefined, smallest: number): Figures | false {
  if (change === undefined || !(-change.change >= Math.max(smallest, change.least))) return false;
  const [first, last] = [before[0]?.[0] ?? 0, before.at(-1)?.[0] ?? 0];
  const best = first === last ? `step ${first}` : `steps ${first} to ${last}`;
  return { from: change.from, to: change.to, by: -change.change, error: change.error, best };
}

const fromTo = ({ from, best, to }: Figures) => `from ${short(from)} at ${best} to ${short(to)} in the last 3 steps`;

/** A number with two significant digits, or a whole one. */
function short(value: number | string = 0): string {
  const size = Math.abs(Number(value));
  const text = size >= 100 && size < 1e15 ? Math.round(Number(value)) : Number(Number(value).toPrecision(2));
  return String(text).replace("-", "−");
}
