import type { Trajectory, TrajectoryGroup } from "@trainyard/training";
import { spreadOf } from "@trainyard/training/rollouts";
import { Fingerprint } from "./fingerprint.ts";
import { flagBits } from "./flags.ts";
import { beginningOf, marksOf, policyOf, readAttempt, taskOf, typeOf, type ReadAttempt } from "./reading.ts";

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
  /** The same for the same attempts and exceptions in the same order, in logs and in jobs; null if there are none. */
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
  /** Identifies what the model said in each attempt with a trajectory, null where it said nothing. */
  readonly said: string;
  readonly group_metrics: string | null;
  readonly group_metadata: string | null;
  /** What few programs send of attempts, as lists by name: `started`, `initial`, `final`, `lines`; null if none has any. */
  readonly origins: string | null;
  /** The number of log lines of the group itself. */
  readonly log_lines: number;
}

const previewLength = 120;

/** Reads a group of a log or of a job. */
export function readGroup(group: TrajectoryGroup): GroupFacts {
  const { trajectories, exceptions = [], metadata = {}, metrics, logs } = group;
  const print = new Fingerprint();
  const given = trajectories.map((trajectory) => readAttempt(trajectory, print));
  const rewards = given.map(({ reward }) => reward);
  const policies = given.map(policyOf);
  const spread = spreadOf(rewards);
  const thrown = exceptions.map(typeOf);
  const marks = [...marksOf(given), ...exceptions.map(() => flagBits.exception)];
  const none = exceptions.map(() => null);
  const zeros = exceptions.map(() => 0);
  const messages = exceptions.map(({ message }, at) =>
    beginningOf(message === "" ? (thrown[at] ?? "") : `${thrown[at]}: ${message}`, previewLength),
  );
  const task = taskOf(group);
  // A group whose attempts were all thrown is told by them and by its task, or it would count again when a job trains on it.
  if (given.length === 0) for (const text of [task.task, ...messages]) print.addText(text);
  const ofGroup = given.length === 1 ? flagBits.single : spread.sd === 0 ? flagBits.flat : 0;
  return {
    ...task,
    attempts: given.length,
    exceptions: exceptions.length,
    ...spread,
    flags: marks.reduce((all, mark) => all | mark, ofGroup),
    print: given.length + exceptions.length === 0 ? null : print.value,
    marks: marks.some((mark) => mark !== 0) ? marks : null,
    policies: policies.some((policy) => policy !== null) ? policies : null,
    rewards: JSON.stringify(rewards),
    tokens: JSON.stringify([...given.map(({ tokens }) => tokens), ...none]),
    turns: JSON.stringify([...given.map(({ turns }) => turns), ...zeros]),
    calls: JSON.stringify([...given.map(({ calls }) => calls), ...zeros]),
    finishes: JSON.stringify([...given.map(({ finish }) => finish), ...none]),
    thrown: thrown.length === 0 ? null : JSON.stringify(thrown),
    previews: JSON.stringify([...given.map(previewOf), ...messages]),
    metrics: metricsOf(trajectories),
    said: JSON.stringify(given.map(({ said }) => said)),
    metadata: trajectories.some((one) => one.metadata) ? JSON.stringify(trajectories.map((one) => one.metadata)) : null,
    group_metrics: textOrNull(metrics),
    group_metadata: textOrNull(metadata),
    origins: originsOf(given),
    log_lines: logs?.length ?? 0,
  };
}

function previewOf({ answer, lastCall }: ReadAttempt): string {
  return beginningOf(answer === "" && lastCall !== "" ? `${lastCall}(…)` : answer, previewLength);
}

function originsOf(attempts: readonly ReadAttempt[]): string | null {
  const lists: Record<string, readonly (number | null)[]> = {};
  if (attempts.some(({ started }) => started !== null)) lists["started"] = attempts.map(({ started }) => started);
  if (attempts.some(({ initial }) => initial !== null)) lists["initial"] = attempts.map(({ initial }) => initial);
  if (attempts.some(({ final }) => final !== null)) lists["final"] = attempts.map(({ final }) => final);
  if (attempts.some(({ lines }) => lines > 0)) lists["lines"] = attempts.map(({ lines }) => lines);
  return textOrNull(lists);
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
  // There may be very many, of which an object takes several times as long as its text.
  const members = Array.from(known, ([name, { count, values }]) => {
    const few = count * 4 < values.length;
    return `${JSON.stringify(name)}:${JSON.stringify(few ? Object.assign({}, values) : values)}`;
  });
  return `{${members.join()}}`;
}

/** An object as JSON. Most are empty. */
function textOrNull(object: object = {}): string | null {
  for (const _ in object) return JSON.stringify(object);
  return null;
}
