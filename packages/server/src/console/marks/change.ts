import { Sum, sumIn } from "../step-summary.ts";

/** The values of the attempts of one group, with its task. */
export type Values = readonly [task: string, values: readonly number[]];

/** How a figure changed, with its standard error, and how large a change has to be that is not taken for chance. */
export type Change = Readonly<Record<"from" | "to" | "change" | "error" | "least", number>>;

/**
 * The change of a mean: task by task, where both sides have the tasks of most attempts; otherwise of the means of all groups,
 * which then also differ by their tasks.
 *
 * @param span the range of the values
 * @returns undefined if there is too little to estimate an error from
 */
export function changeOf(before: readonly Values[], after: readonly Values[], span: number): Change | undefined {
  const [earlier, later] = [new Map<string, Sum>(), new Map<string, Sum>()];
  const [from, to] = [new Sum(), new Sum()];
  for (const [tasks, means, groups] of [[earlier, from, before] as const, [later, to, after] as const])
    for (const [task, values] of groups) {
      for (const value of values) sumIn(tasks, task).add(value);
      if (values.length > 0) means.add(values.reduce((all, one) => all + one, 0) / values.length);
    }
  const common = [...later].flatMap(([task, sum]) => (earlier.has(task) ? [[sumIn(earlier, task), sum] as const] : []));
  if (Sum.of(common.map(([, sum]) => sum)).count * 2 > Sum.of([...later.values()]).count)
    return pooled(common, span, 4);
  return pooled([[from, to]], 0, 4);
}

/** The change of the mean of pairs of sums, weighted by the later ones. All values share one variance. */
export function pooled(pairs: readonly (readonly [Sum, Sum])[], span: number, errors: number): Change | undefined {
  const sums = pairs.flat();
  const n = Sum.of(pairs.map(([, to]) => to)).count;
  // One more value, half of the range away, so that a few equal values do not count as certainty.
  const freedom = Sum.of(sums).count - sums.length + Math.sign(span);
  if (freedom < 4 || sums.some(({ count }) => count === 0)) return undefined;
  const variance = (sums.reduce((all, { within }) => all + within, 0) + span ** 2 / 4) / freedom;
  let [from, to, inverse] = [0, 0, 0];
  for (const [one, other] of pairs) {
    const weight = other.count / n;
    from += weight * (one.mean ?? 0);
    to += weight * (other.mean ?? 0);
    inverse += weight ** 2 * (1 / one.count + 1 / other.count);
  }
  const error = Math.sqrt(variance * inverse);
  return { from, to, change: to - from, error, least: error * quantile(freedom, errors) };
}

/** The quantile of Student's t for the chance of z standard errors on one side (Cornish and Fisher's series). */
function quantile(freedom: number, z: number): number {
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}
