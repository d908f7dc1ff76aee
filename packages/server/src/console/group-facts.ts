import { hash } from "node:crypto";
import type { MessageOrChoice, Trajectory, TrajectoryGroup } from "@trainyard/training";
import { rewardsDiffer } from "@trainyard/training/rollouts";
import {
  beginningOf,
  isChoice,
  metricsOf,
  readAttempt,
  readException,
  textOf,
  type AttemptFacts,
} from "./attempt-facts.ts";
import { flagBits } from "./flags.ts";

/** What the rows of a group have, whatever its step. */
export interface GroupFacts {
  /**
   * Identifies the task: `task`, `task_id`, `id` or `scenario_id` of the metadata, or a digest of the messages before the
   * first choice.
   */
  readonly task: string;
  /** The display name of the task. */
  readonly name: string;
  /** Null if no attempt has a reward. */
  readonly mean: number | null;
  /** The population standard deviation. */
  readonly sd: number | null;
  readonly lo: number | null;
  readonly hi: number | null;
  /** Those that concern all of its attempts. */
  readonly flags: number;
  /** A digest that is the same for the same attempts in the same order, in logs and in jobs; empty if there are none. */
  readonly print: string;
  readonly metrics: Readonly<Record<string, number>>;
  readonly metadata: object;
  /** First the attempts with a trajectory, then the exceptions. */
  readonly attempts: readonly AttemptFacts[];
}

/** Reads a group of a log or of a job. */
export function readGroup({ trajectories, exceptions = [], metadata = {}, metrics }: TrajectoryGroup): GroupFacts {
  const given = trajectories.map(readAttempt);
  const { mean, sd, lo, hi } = spreadOf(given.map(({ facts }) => facts.reward));
  const callers = given.filter(({ facts }) => facts.calls > 0).length;
  const answers = new Map<string, number>();
  for (const { answer } of given) answers.set(answer, (answers.get(answer) ?? 0) + 1);
  for (const { facts, answer } of given) {
    const isAlone = facts.calls === 0 && callers > 0 && callers * 2 >= given.length;
    if (isAlone && facts.reward >= (mean ?? 0)) facts.flags |= flagBits["no-tool"];
    if (answer !== "" && (answers.get(answer) ?? 0) >= 3) facts.flags |= flagBits["same-answer"];
  }
  return {
    ...taskOf(metadata, trajectories),
    mean,
    sd,
    lo,
    hi,
    flags: given.length === 1 ? flagBits.single : sd === 0 ? flagBits.flat : 0,
    print: given.length === 0 ? "" : hash("sha1", given.map(({ identity }) => identity).join("\0\0")),
    metrics: metricsOf(metrics),
    metadata,
    attempts: [...given.map(({ facts }) => facts), ...exceptions.map(readException)],
  };
}

function spreadOf(values: readonly number[]): Pick<GroupFacts, "mean" | "sd" | "lo" | "hi"> {
  if (values.length === 0) return { mean: null, sd: null, lo: null, hi: null };
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
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
  const before = trajectories.map(promptOf).find((messages) => messages.length > 0) ?? [];
  const last = before.findLast(({ role }) => role === "user") ?? before.at(-1);
  const name = beginningOf(textOf(last?.content), 48);
  return {
    task: hash("sha1", JSON.stringify(before.map(({ role, content }) => [role, content]))).slice(0, 16),
    name: name === "" ? "no name" : name,
  };
}

/** The messages before the first choice. */
function promptOf({ messages_and_choices: entries = [] }: Trajectory): Exclude<MessageOrChoice, { message: object }>[] {
  const first = entries.findIndex(isChoice);
  return entries.slice(0, first < 0 ? undefined : first).filter((entry) => !isChoice(entry));
}
