import { ConfigurationError } from "@trainyard/core";

/**
 * The probability that at least one of k attempts passes, estimated without bias from n attempts of which c passed:
 * 1 − C(n−c, k)/C(n, k), and 1 if n − c < k (Chen et al. 2021, arXiv:2107.03374).
 *
 * @throws {ConfigurationError} if the three are not whole numbers with 0 ≤ c ≤ n and 1 ≤ k ≤ n: nothing can be said
 *   about more attempts than there are.
 */
export function passAtK(n: number, c: number, k: number): number {
  if (![n, c, k].every(Number.isInteger) || c < 0 || c > n || k < 1 || k > n)
    throw new ConfigurationError(
      `pass@k needs whole numbers with 0 ≤ c ≤ n and 1 ≤ k ≤ n, not n = ${n}, c = ${c}, k = ${k}. Attempt each task at least k times.`,
    );
  let none = 1;
  for (let drawn = 0; drawn < k; drawn++) none *= Math.max(0, n - c - drawn) / (n - drawn);
  return 1 - none;
}
