import { hash } from "node:crypto";
import { isObject } from "@trainyard/core/validation";
import { rewardsDiffer } from "@trainyard/training/rollouts";
import { beginningOf, listOf, readAttempt, readException, textOf, type AttemptFacts } from "./attempt-facts.ts";
import { flagBits } from "./flags.ts";

/** An attempt in its group. */
export interface PlacedAttempt extends AttemptFacts {
  /** How far the reward is above the group's mean, in standard deviations of the group; 0 if all rewards are the same. */
  readonly advantage: number | null;
  readonly flags: number;
}

/** The facts of a group in the index. */
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
  readonly flags: number;
  /** A digest that is the same for the same attempts in the same order, in logs and in jobs; empty if there are none. */
  readonly print: string;
  /** First the attempts with a trajectory, then the exceptions. */
  readonly attempts: readonly PlacedAttempt[];
}

/** Reads a group of a step, from a log or from a job. */
export function readGroup(value: unknown, step: number): GroupFacts {
  const group = isObject(value) ? value : {};
  const trajectories = listOf(group["trajectories"]);
  const given = trajectories.map(readAttempt);
  const thrown = listOf(group["exceptions"]).map(readException);
  const rewards = given.map(({ reward }) => reward ?? 0);
  const { mean, sd, lo, hi } = spreadOf(rewards);
  const callers = given.filter(({ calls }) => calls > 0).length;
  const answers = new Map<string, number>();
  for (const { answer } of given) answers.set(answer, (answers.get(answer) ?? 0) + 1);
  const attempts = [...given, ...thrown].map((facts): PlacedAttempt => {
    const { reward, calls, finish, policy, answer } = facts;
    if (reward === null || mean === null || sd === null) {
      return { ...facts, advantage: null, flags: flagBits.exception };
    }
    let flags = 0;
    if (calls === 0 && callers > 0 && callers * 2 >= given.length && reward >= mean) flags |= flagBits["no-tool"];
    if (answer !== "" && (answers.get(answer) ?? 0) >= 3) flags |= flagBits["same-answer"];
    if (finish === "length") flags |= flagBits.cut;
    if (policy !== null && step - policy > 2) flags |= flagBits.stale;
    return { ...facts, flags, advantage: given.length < 2 ? null : sd === 0 ? 0 : (reward - mean) / sd };
  });
  let flags = attempts.reduce((bits, attempt) => bits | attempt.flags, 0);
  if (given.length === 1) flags |= flagBits.single;
  else if (sd === 0) flags |= flagBits.flat;
  const print = given.length === 0 ? "" : hash("sha1", given.map(({ identity }) => identity).join("\0\0"));
  return { ...taskOf(group, trajectories), mean, sd, lo, hi, flags, print, attempts };
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

function taskOf(group: Record<string, unknown>, trajectories: readonly unknown[]): { task: string; name: string } {
  const metadata = isObject(group["metadata"]) ? group["metadata"] : {};
  const label = ["task", "task_id", "id", "scenario_id"]
    .map((key) => metadata[key])
    .find((value) => typeof value === "string" || typeof value === "number");
  if (label !== undefined && label !== "") return { task: String(label), name: String(label) };
  const before = trajectories.map(promptOf).find((messages) => messages.length > 0) ?? [];
  const last = before.findLast((message) => message["role"] === "user") ?? before.at(-1);
  const name = beginningOf(textOf(last?.["content"]), 48);
  return {
    task: hash("sha1", JSON.stringify(before.map(({ role, content }) => [role, content]))).slice(0, 16),
    name: name === "" ? "no name" : name,
  };
}

/** The messages before the first choice. */
function promptOf(trajectory: unknown): Record<string, unknown>[] {
  const messages = isObject(trajectory) ? listOf(trajectory["messages_and_choices"]) : [];
  const first = messages.findIndex((entry) => isObject(entry) && isObject(entry["message"]));
  return messages.slice(0, first < 0 ? undefined : first).filter((entry) => isObject(entry));
}
