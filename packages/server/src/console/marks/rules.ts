import { changeOf, Moments, pooled, type Change, type Values } from "./change.ts";
import type { Fall, Series } from "./series.ts";

/** The figures of a mark, by name, for its sentence. */
export type Figures = Readonly<Record<string, number | string>>;

/** What a rule says of the run, or of each task or metric that it was asked about: figures, or false. */
export type Answers = ReadonlyMap<string, Figures | false>;

/** The attempts of an early step that have a reward and a metric. */
export type Pair = readonly [reward: number, value: number];

/** What can be counted of a step. */
export type Counted = "attempts" | "thrown" | "compared" | "flat" | "cut" | "answered" | "said" | "same";

/** What the rules look at, at one step. */
export interface Looked {
  /** The range of the rewards until now: from 0 to 1, or wider. */
  readonly span: number;
  readonly reward: Series;
  /** The tasks and the metrics of this step. */
  readonly tasks: ReadonlyMap<string, Series>;
  readonly metrics: ReadonlyMap<string, Series>;
  /** The counts of the newest three steps, this one last. */
  readonly counts: readonly Readonly<Record<Counted, number>>[];
  /** The values of the groups of some steps: the rewards, or those of a metric. */
  readonly valuesAt: (steps: Fall["before"], metric?: string) => readonly Values[];
  /** The attempts of the first steps up to one of them. */
  readonly firstPairs: (metric: string, until: number) => Iterable<readonly Pair[]>;
}

/** A rule: what it is called, its sentence, and what it looks at. */
export interface Rule {
  readonly title: string;
  readonly says: (figures: Figures, of: string) => string;
  readonly look: (looked: Looked) => Answers;
}

/** A change that is less than a twentieth of the range is no fall, whatever its error. Of a task alone, a quarter. */
const [smallest, smallestOfTask] = [1 / 20, 1 / 4];

export type RuleName = "reward-fell" | "no-signal" | "same-answers" | "cut-off" | "threw" | "metric-fell";

export const rules: Readonly<Record<RuleName, Rule>> = {
  "reward-fell": {
    title: "reward fell",
    says: (figures, of) =>
      `The mean reward ${of === "" ? "" : `of the task ${figures["name"]} `}fell from ${short(figures["from"])} at ${figures["best"]} to ${short(figures["to"])} in the last 3 steps, by ${short(figures["by"])} ± ${short(figures["error"])}.`,
    look: (looked) => {
      const fell = rewardFell(looked);
      const answers = new Map<string, Figures | false>();
      if (fell !== undefined) answers.set("", fell);
      // What fell as a whole is not said again task by task.
      if (!fell)
        for (const [task, { fall }] of looked.tasks)
          if (fall !== undefined) answers.set(task, taskFell(fall, looked.span));
      return answers;
    },
  },
  "no-signal": {
    title: "no signal",
    says: (figures) =>
      `${percent(figures["share"])} of the groups of the step have equal rewards, while the mean reward is ${short(figures["to"])}, and was ${short(figures["from"])} at ${figures["best"]}.`,
    look: (looked) => asShare(looked, ["flat", "compared"], 1 / 2, rewardFell),
  },
  "same-answers": {
    title: "same answers",
    says: (figures) =>
      `${percent(figures["share"])} of the attempts of the step are the same text, while the mean reward is ${short(figures["to"])}, and was ${short(figures["from"])} at ${figures["best"]}.`,
    look: (looked) => asShare(looked, ["same", "said"], 1 / 2, rewardFell),
  },
  "cut-off": {
    title: "cut off",
    says: (figures) => `The token limit ended ${percent(figures["share"])} of the answers of the step.`,
    look: (looked) => asShare(looked, ["cut", "answered"], 1 / 4),
  },
  threw: {
    title: "threw",
    says: (figures) => `${percent(figures["share"])} of the attempts of the step ended in an exception.`,
    look: (looked) => asShare(looked, ["thrown", "attempts"], 1 / 10),
  },
  "metric-fell": {
    title: "metric fell while the reward rose",
    says: (figures, of) =>
      `${of} went with the reward over the first steps, and fell from ${short(figures["from"])} at ${figures["best"]} to ${short(figures["to"])} in the last 3 steps, while the reward rose from ${short(figures["reward_from"])} to ${short(figures["reward_to"])}.`,
    look: (looked) => {
      const answers = new Map<string, Figures | false>();
      for (const [name, series] of looked.metrics)
        if (series.fall !== undefined) answers.set(name, metricFell(looked, name, series, series.fall));
      return answers;
    },
  },
};

/** The share in this step and in the newest three together is above a limit, so that one odd attempt of few is none. */
function asShare(
  looked: Looked,
  [part, whole]: readonly [Counted, Counted],
  limit: number,
  besides: typeof rewardFell = () => ({}),
): Answers {
  const sum = (of: Counted) => looked.counts.reduce((all, counts) => all + counts[of], 0);
  const now = looked.counts.at(-1);
  if (now === undefined || now[whole] === 0) return new Map();
  const share = now[part] / now[whole];
  const more = share > limit && sum(part) / sum(whole) > limit && besides(looked);
  return new Map([["", more ? { share, count: now[part], ...more } : false]]);
}

/** Whether the newest three steps are below the best three by more than the error allows; undefined before the fourth. */
function rewardFell({ reward: { fall }, valuesAt, span }: Looked): Figures | false | undefined {
  if (fall === undefined) return undefined;
  const change = fall.by > 0 ? changeOf(valuesAt(fall.before), valuesAt(fall.newest), span) : undefined;
  return (
    change !== undefined && -change.change >= Math.max(smallest * span, change.least) && fellFrom(fall, change)
  );
}

function taskFell(fall: Fall, span: number): Figures | false {
  if (fall.by < smallestOfTask * span) return false;
  const momentsOf = (points: Fall["before"]) => [Moments.of(points.map(({ moments }) => moments))];
  const change = pooled([momentsOf(fall.before), momentsOf(fall.newest)], span, 5);
  const fell = change !== undefined && -change.change >= Math.max(smallestOfTask * span, change.least);
  return fell && fellFrom(fall, change);
}

function metricFell({ valuesAt, firstPairs, span }: Looked, name: string, series: Series, fall: Fall): Figures | false {
  // What fell from the start never went with the reward.
  if (!(fall.by > 0) || series.top === series.first) return false;
  const range = series.high - series.low;
  const metric = changeOf(valuesAt(fall.before, name), valuesAt(fall.newest, name), range);
  if (metric === undefined || -metric.change < Math.max(smallest * range, metric.least)) return false;
  const reward = changeOf(valuesAt(fall.before), valuesAt(fall.newest), span);
  if (reward === undefined || reward.change <= 2 * reward.error) return false;
  if (!wentWithReward(firstPairs(name, fall.before.at(-1)?.step ?? 0))) return false;
  return { ...fellFrom(fall, metric), reward_from: reward.from, reward_to: reward.to };
}

/** Whether a metric and the reward are correlated over the first steps, or some of them: by 0.3, and by four errors. */
function wentWithReward(steps: Iterable<readonly Pair[]>): boolean {
  const [x, y, both] = [new Moments(), new Moments(), new Moments()];
  for (const pairs of steps) {
    for (const [reward, value] of pairs) {
      x.add(reward);
      y.add(value);
      both.add(reward * value);
    }
    const r = (both.total - x.total * y.mean) / Math.sqrt(x.within * y.within);
    if (r >= 0.3 && r * Math.sqrt((x.n - 2) / Math.max(1e-9, 1 - r * r)) >= 4) return true;
  }
  return false;
}

function fellFrom({ before }: Fall, { from, to, change, error }: Change): Figures {
  const [first, last] = [before[0]?.step ?? 0, before.at(-1)?.step ?? 0];
  return { from, to, by: -change, error, best: first === last ? `step ${first}` : `steps ${first} to ${last}` };
}

/** A number with two significant digits, or a whole one. */
function short(value: number | string = ""): string {
  if (typeof value === "string") return value;
  const size = Math.abs(value);
  return String(size >= 100 && size < 1e15 ? Math.round(value) : Number(value.toPrecision(2))).replace("-", "−");
}

function percent(part: number | string = 0): string {
  return `${Math.round(Number(part) * 100)} %`;
}
