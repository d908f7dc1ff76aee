/** How surprising a token was: 0 from a probability of 50 %, 1 below 50 %, 2 below 10 %, 3 below 1 %. */
export function surprise(logprob: number): 0 | 1 | 2 | 3 {
  const probability = Math.exp(logprob);
  return probability < 0.01 ? 3 : probability < 0.1 ? 2 : probability < 0.5 ? 1 : 0;
}
