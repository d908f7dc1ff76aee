import { hash } from "node:crypto";
import type { Trajectory, TrajectoryGroup } from "@trainyard/training";
import { rewardsDiffer } from "@trainyard/training/rollouts";
import { Fingerprint } from "./fingerprint.ts";
import { flagBits } from "./flags.ts";
import { callsOf, isChoice, stringOf, textOf, type Loose } from "./message.ts";

/**
 * What the row of a group has, whatever its step. Facts of its attempts are lists as JSON with a value for each: first the
 * attempts with a trajectory, then the exceptions.
 */
export interface GroupFacts {
  /**
   * Identifies the task: `task`, `task_id`, `id` or `scenario_id` of the metadata, or a digest of the messages before the
   * first choice.
   */
  readonly task: string;
  /** The display name of the task. */
  readonly name: string;
  /** The number of attempts with a trajectory. */
  readonly attempts: number;
  readonly exceptions: number;
  /** Null if no attempt has a reward. */
  readonly mean: number | null;
  /** The population standard deviation. */
  readonly sd: number | null;
  readonly lo: number | null;
  readonly hi: number | null;
  /** Those of its attempts, and those that concern all of them. */
  readonly flags: number;
  /** The same for the same attempts in the same order, in logs and in jobs; null if there are none. */
  readonly print: number | null;
  /** The flags of each attempt; null if none has one. */
  readonly marks: readonly number[] | null;
  /** The step of the model when each attempt ended; null if no attempt has it. */
  readonly policies: readonly (number | null)[] | null;
  /** Only of attempts with a trajectory. */
  readonly rewards: string;
  /** The numbers of tokens; null for a choice without its tokens, because they are never estimated. */
  readonly tokens: string;
  /** The numbers of choices of the model. */
  readonly turns: string;
  readonly calls: string;
  /** The finish reasons of the last choices. */
  readonly finishes: string;
  /** The types of the exceptions alone; null without one. */
  readonly thrown: string | null;
  /** The beginnings of the last answers, each on one line. */
  readonly previews: string;
  /** The values of each metric, by its name. */
  readonly metrics: string | null;
  readonly metadata: string | null;
  readonly group_metrics: string | null;
  readonly group_metadata: string | null;
  /** What few programs send of attempts, as lists by name: `started`, `initial`, `final`, `lines`; null if none has any. */
  readonly origins: string | null;
  /** The number of log lines of the group itself. */
  readonly log_lines: number;
}

/** What is read of an attempt with a trajectory. */
interface Attempt {
  readonly reward: number;
  readonly tokens: number | null;
  readonly turns: number;
  readonly calls: number;
  readonly finish: string | null;
  readonly policy: number | null;
  readonly initial: number | null;
  /** When it began, in milliseconds. */
  readonly started: number | null;
  /** The number of its log lines. */
  readonly lines: number;
  /** The whole last answer of the model. */
  readonly answer: string;
  readonly preview: string;
}

const previewLength = 120;

/** Reads a group of a log or of a job. */
export function readGroup({
  trajectories,
  exceptions = [],
  metadata = {},
  metrics,
  logs,
}: TrajectoryGroup): GroupFacts {
  const print = new Fingerprint();
  const given = trajectories.map((trajectory) => readAttempt(trajectory, print));
  const rewards = given.map(({ reward }) => reward);
  const spread = spreadOf(rewards);
  const thrown = exceptions.map(({ type }) => (type === "" ? "Exception" : type));
  const marks = [...marksOf(given, spread.mean ?? 0), ...exceptions.map(() => flagBits.exception)];
  const none = exceptions.map(() => null);
  const zeros = exceptions.map(() => 0);
  const messages = exceptions.map(({ message }, at) =>
    beginningOf(message === "" ? (thrown[at] ?? "") : `${thrown[at]}: ${message}`),
  );
  const ofGroup = given.length === 1 ? flagBits.single : spread.sd === 0 ? flagBits.flat : 0;
  return {
    ...taskOf(metadata, trajectories),
    attempts: given.length,
    exceptions: exceptions.length,
    ...spread,
    flags: marks.reduce((all, mark) => all | mark, ofGroup),
    print: given.length === 0 ? null : print.value,
    marks: marks.some((mark) => mark !== 0) ? marks : null,
    policies: given.some(({ policy }) => policy !== null) ? given.map(({ policy }) => policy) : null,
    rewards: JSON.stringify(rewards),
    tokens: JSON.stringify([...given.map(({ tokens }) => tokens), ...none]),
    turns: JSON.stringify([...given.map(({ turns }) => turns), ...zeros]),
    calls: JSON.stringify([...given.map(({ calls }) => calls), ...zeros]),
    finishes: JSON.stringify([...given.map(({ finish }) => finish), ...none]),
    thrown: thrown.length === 0 ? null : JSON.stringify(thrown),
    previews: JSON.stringify([...given.map(({ preview }) => preview), ...messages]),
    metrics: metricsOf(trajectories),
    metadata: trajectories.some((one) => one.metadata) ? JSON.stringify(trajectories.map((one) => one.metadata)) : null,
    group_metrics: textOrNull(metrics),
    group_metadata: textOrNull(metadata),
    origins: originsOf(given),
    log_lines: logs?.length ?? 0,
  };
}

function originsOf(attempts: readonly Attempt[]): string | null {
  const lists: Record<string, readonly (number | null)[]> = {};
  if (attempts.some(({ started }) => started !== null)) lists["started"] = attempts.map(({ started }) => started);
  if (attempts.some(({ initial }) => initial !== null)) lists["initial"] = attempts.map(({ initial }) => initial);
  if (attempts.some(({ policy }) => policy !== null)) lists["final"] = attempts.map(({ policy }) => policy);
  if (attempts.some(({ lines }) => lines > 0)) lists["lines"] = attempts.map(({ lines }) => lines);
  return textOrNull(lists);
}

/** Reads an attempt, and adds it to the fingerprint of its group. */
function readAttempt(trajectory: Trajectory, print: Fingerprint): Attempt {
  const { messages_and_choices: entries = [], reward: given, start_time: start, logs } = trajectory;
  let tokens: number | null = 0;
  let logprobs = 0;
  let turns = 0;
  let calls = 0;
  let finish: string | null = null;
  let answer = "";
  let lastCall = "";
  for (const entry of entries) {
    const message: Loose = isChoice(entry) ? entry.message : entry;
    const text = textOf(message.content);
    print.addText(stringOf(message.role));
    print.addText(text);
    for (const { name, input } of callsOf(message)) {
      calls++;
      lastCall = name;
      print.addText(name);
      print.addText(input);
    }
    if (!isChoice(entry)) continue;
    turns++;
    finish = entry.finish_reason;
    if (text !== "") answer = text;
    const content = entry.logprobs?.content;
    if (!content) tokens = null;
    else {
      if (tokens !== null) tokens += content.length;
      for (const { logprob } of content) logprobs += logprob;
    }
  }
  const reward = finiteOr(given, 0);
  print.addNumber(entries.length);
  print.addNumber(reward);
  print.addNumber(logprobs);
  return {
    reward,
    tokens: turns === 0 ? null : tokens,
    turns,
    calls,
    finish,
    policy: finiteOr(trajectory.final_policy_version, null),
    initial: finiteOr(trajectory.initial_policy_version, null),
    started: finiteOr(start === undefined ? null : Date.parse(start), null),
    lines: logs?.length ?? 0,
    answer,
    preview: beginningOf(answer === "" && lastCall !== "" ? `${lastCall}(…)` : answer),
  };
}

/** The flags of each attempt that do not depend on its step. */
function marksOf(attempts: readonly Attempt[], mean: number): number[] {
  const callers = attempts.filter(({ calls }) => calls > 0).length;
  const answers = new Map<string, number>();
  for (const { answer } of attempts) answers.set(answer, (answers.get(answer) ?? 0) + 1);
  return attempts.map(({ calls, reward, finish, answer }) => {
    const isAlone = calls === 0 && callers > 0 && callers * 2 >= attempts.length;
    return (
      (finish === "length" ? flagBits.cut : 0) |
      (isAlone && reward >= mean ? flagBits["no-tool"] : 0) |
      (answer !== "" && (answers.get(answer) ?? 0) >= 3 ? flagBits["same-answer"] : 0)
    );
  });
}

/** The metrics of all attempts as numbers. A list whose attempts mostly lack the metric is an object of places instead. */
function metricsOf(trajectories: readonly Trajectory[]): string | null {
  const known = new Map<string, { count: number; readonly values: number[] }>();
  for (const [place, { metrics }] of trajectories.entries()) {
    for (const name in metrics) {
      const value = Number(metrics[name]);
      if (!Number.isFinite(value)) continue;
      const metric = known.get(name) ?? { count: 0, values: [] };
      known.set(name, metric);
      metric.count++;
      metric.values[place] = value;
    }
  }
  if (known.size === 0) return null;
  return JSON.stringify(
    Object.fromEntries(
      [...known].map(([name, { count, values }]) => [
        name,
        count * 4 < values.length ? Object.assign({}, values) : values,
      ]),
    ),
  );
}

/** An object as JSON. Most are empty. */
function textOrNull(object: object = {}): string | null {
  for (const _ in object) return JSON.stringify(object);
  return null;
}

/** A number of a body. JSON can write numbers that are too large for one. */
function finiteOr<T>(value: number | null | undefined, other: T): number | T {
  return typeof value === "number" && Number.isFinite(value) ? value : other;
}

/** The beginning of a text, on one line, without half a character at its end. */
function beginningOf(text: string, length: number = previewLength): string {
  let line = text.slice(0, length);
  // Most texts contain nothing to remove, and checking is faster than rewriting.
  if (/^\s|\s\s|[^\S ]/.test(line)) line = text.slice(0, length * 2).replaceAll(/\s+/g, " ");
  line = line.trim().slice(0, length);
  const last = line.charCodeAt(line.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? line.slice(0, -1) : line;
}

function spreadOf(values: readonly number[]): Pick<GroupFacts, "mean" | "sd" | "lo" | "hi"> {
  if (values.length === 0) return { mean: null, sd: null, lo: null, hi: null };
  // As arguments of one call, the rewards of 10⁵ attempts would be too many.
  const lo = values.reduce((least, value) => Math.min(least, value));
  const hi = values.reduce((most, value) => Math.max(most, value));
  // Equal rewards have no deviation, whatever rounding gives.
  if (!rewardsDiffer(values)) return { mean: lo, sd: 0, lo, hi };
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0);
  return { mean, sd: Math.min(Math.sqrt(variance), Number.MAX_VALUE), lo, hi };
}

function taskOf(
  metadata: NonNullable<TrajectoryGroup["metadata"]>,
  trajectories: readonly Trajectory[],
): { task: string; name: string } {
  const label = ["task", "task_id", "id", "scenario_id"]
    .map((key) => metadata[key])
    .find((value) => typeof value === "string" || typeof value === "number");
  if (label !== undefined && label !== "") return { task: String(label), name: String(label) };
  let before: ReturnType<typeof promptOf> = [];
  for (const trajectory of trajectories) {
    before = promptOf(trajectory);
    if (before.length > 0) break;
  }
  const last = before.findLast(({ role }) => role === "user") ?? before.at(-1);
  const name = beginningOf(textOf(last?.content), 48);
  return {
    task: hash("sha1", JSON.stringify(before.map(({ role, content }) => [role, content]))).slice(0, 16),
    name: name === "" ? "no name" : name,
  };
}

/** The messages before the first choice. */
function promptOf({ messages_and_choices: entries = [] }: Trajectory): readonly Loose[] {
  const first = entries.findIndex(isChoice);
  const before: readonly Loose[] = entries.slice(0, first < 0 ? undefined : first);
  return before;
}
