/** A question and the answers of the untrained model, as `programs/learning/what-goes-wrong.ts` measures them. */
export interface Measured {
  readonly question: string;
  readonly group: readonly { readonly answer: string; readonly reward: number; readonly logprobs: readonly number[] }[];
}

/** The advantages of a group, `(reward − mean) / std`; 0 if all rewards are equal. */
export function workedGroup({ question, group }: Measured) {
  const rewards = group.map(({ reward }) => reward);
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const mean = meanOf(rewards);
  // The population's standard deviation.
  const std = Math.sqrt(meanOf(rewards.map((reward) => (reward - mean) ** 2)));
  return {
    question,
    mean,
    std,
    attempts: group.map(({ answer, reward, logprobs }) => ({
      answer,
      reward,
      probability: Math.exp(logprobs.reduce((sum, logprob) => sum + logprob, 0)),
      advantage: std === 0 ? 0 : (reward - mean) / std,
    })),
  };
}
