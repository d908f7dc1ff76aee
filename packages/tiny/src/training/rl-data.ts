import { advantagesOf } from "@trainyard/training/rollouts";
import { mean, rewardStdDev } from "./advantage.ts";
import { batchOf, countLearned, type Batch, type Sequence } from "./batch.ts";
import type { Measurements } from "./measurements.ts";
import type { RlSettings } from "./rl-settings.ts";
import { readGroups } from "./sequences.ts";
import { TrainingFailure } from "./training-failure.ts";

/** Trajectories that are ready for training. */
export interface RlData {
  /** The tokens of the choices in trainable groups, one sequence per conversation. */
  readonly positions: Batch;
  /** The advantage of each token's trajectory. */
  readonly advantages: Float64Array;
  /** The conversations of all groups. */
  readonly sequences: readonly Sequence[];
  /** How many tokens the choices of all groups have. */
  readonly tokens: number;
  /** How many trajectories are trained on. */
  readonly trajectories: number;
  /** Figures of the trajectories, for the events. */
  readonly measurements: Measurements;
  /** Notes for people, as sentences. */
  readonly notices: readonly string[];
}

/**
 * Reads the trajectory groups of a job. Every trajectory is compared with its group, even one without a choice.
 *
 * @throws TrainingFailure that names what cannot be trained on
 */
export function readRlData(input: unknown, settings: RlSettings): RlData {
  const groups = readGroups(input, settings.allowWithoutLogprobs);
  if (!groups.some((group) => group.some(({ sequences }) => sequences.length > 0))) {
    throw new TrainingFailure(
      "No trajectory holds a choice, and the model learns from nothing else. Put what chat answered into messages_and_choices as it came: `{finish_reason, index, message, logprobs}`.",
    );
  }
  const rewards = groups.map((group) => group.map(({ reward }) => reward));
  const { values, trainable } = advantagesOf(rewards, settings);
  const learned = groups
    .flatMap((group, at) =>
      group.map(({ sequences }, index) => ({ sequences, at, advantage: values[at]?.[index] ?? 0 })),
    )
    .filter(({ at, sequences }) => trainable[at] === true && sequences.length > 0);
  const positions = batchOf(learned.flatMap(({ sequences }) => sequences));
  const advantages = new Float64Array(positions.tokens.length);
  let sequence = 0;
  for (const { sequences, advantage } of learned) {
    const from = positions.starts[sequence];
    sequence += sequences.length;
    advantages.fill(advantage, from, positions.starts[sequence]);
  }
  const sequences = groups.flat().flatMap(({ sequences: some }) => some);
  const bare = positions.logged.filter(Number.isNaN).length;
  return {
    positions,
    advantages,
    sequences,
    tokens: countLearned(sequences),
    trajectories: learned.length,
    measurements: {
      reward: mean(rewards.flat()),
      reward_std_dev: rewardStdDev(rewards),
      num_groups: groups.length,
      num_groups_trainable: trainable.filter(Boolean).length,
      num_trajectories: rewards.flat().length,
      num_trainable_tokens: positions.tokens.length,
      num_tokens_without_logprobs: bare,
    },
    notices: noticesOf(
      trainable,
      positions.tokens.length,
      bare,
      rewards.flat().some((one) => one !== 0),
    ),
  };
}

/**
 * @param bare how many of the tokens have no log probability
 * @param rewarded whether any attempt has a reward that is not 0
 */
function noticesOf(trainable: readonly boolean[], tokens: number, bare: number, rewarded: boolean): string[] {
  const equal = trainable.flatMap((can, index) => (can ? [] : [index]));
  const groups = `trajectory_groups[${[...equal.slice(0, 8), ...(equal.length > 8 ? ["…"] : [])].join(", ")}]`;
  const which =
    equal.length === trainable.length ? "each group" : `${equal.length} of ${trainable.length} groups (${groups})`;
  return [
    tokens === 0 && "Nothing was trained; the new checkpoint has the weights of the one before.",
    equal.length > 0 &&
      `Within ${which} all rewards are equal, so no answer is better than another and there is nothing to learn. ${rewarded ? cureOfEqual : cureOfNone}`,
    tokens === 0 &&
      equal.length < trainable.length &&
      "The groups whose rewards differ hold no choice: put what chat answered into messages_and_choices as it came.",
    bare > 0 &&
      `${bare} of ${tokens} tokens have no log probability: the starting weights count as the policy that said them.`,
  ].filter((notice) => notice !== false);
}

const cureOfEqual =
  "If the answers are as you want them, training is done; otherwise reward better answers more, or sample more of them for each prompt.";

const cureOfNone =
  "No attempt had a reward: the model does not say what is rewarded, and sampling more would not change that. Fine-tune it on a few first, and go on from there; the section “A word that it never says” of the guide Training has a program that does both.";
