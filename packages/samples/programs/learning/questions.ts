/** Questions that can be answered with yes, no or maybe, and the reward of each answer. */
import {
  modelName,
  type Model,
  type TrainingClient,
  type TrajectoryGroup,
} from "@trainyard/training";
import { gatherGroups, recordTrajectory } from "@trainyard/training/rollouts";

export const questions = [
  "Will the 9:40 to Bergen be late?",
  "Does it snow in Voss tonight?",
  "Is there a seat by the window?",
  "Can I bring my bicycle?",
  "Is the kiosk in Myrdal open?",
  "Will the ferry wait for us?",
  "Does the night train have a café?",
  "Are dogs allowed on board?",
  "Is platform two the right one?",
  "Can I change my ticket?",
  "Will there be a bus instead?",
  "Is it warm in the waiting room?",
];

/** Similar questions that the model is not trained on. */
export const unseen = [
  "Is the lift out of order?",
  "Will the conductor come by?",
  "Does the train stop at Finse?",
  "Can we sit together?",
];

/** The rewards, which the model does not see. Any other answer has the reward 0. */
const rewards: Record<string, number> = { yes: 0.5, no: 0.75, maybe: 1 };

/**
 * Eight answers to each question, by the model's newest checkpoint.
 *
 * @param round the seed of each answer depends on it, so the same round can be repeated
 */
export function answer(
  training: TrainingClient,
  model: Model,
  asked: readonly string[],
  round: number,
): Promise<TrajectoryGroup[]> {
  return gatherGroups(
    asked.entries(),
    ([place, content], { attempt, signal }) =>
      recordTrajectory(training, async (recorded) => {
        const { choices } = await recorded.chat.completions.create(
          {
            model: modelName(model, { step: "latest" }),
            messages: [{ role: "user", content: `${content} Yes, no or maybe?` }],
            max_completion_tokens: 8,
            logprobs: true,
            seed: (round * 100 + place) * 100 + attempt,
          },
          { signal },
        );
        const said = choices[0]?.message.content?.trim().toLowerCase() ?? "";
        return { reward: rewards[said] ?? 0 };
      }),
    { attempts: 8, concurrency: 16 },
  );
}

/** The mean over all trajectories of all groups. */
export function meanReward(groups: readonly TrajectoryGroup[]): number {
  const all = groups.flatMap(({ trajectories }) =>
    trajectories.map(({ reward = 0 }) => reward),
  );
  return all.reduce((sum, reward) => sum + reward, 0) / all.length;
}
