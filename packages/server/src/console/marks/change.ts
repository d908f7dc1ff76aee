/** The values of the attempts of one group, with its task. */
export interface Values {
  readonly task: string;
  readonly values: readonly number[];
}

/** How a figure changed from some groups to others. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly change: number;
  /** The standard error of the change. */
  readonly error: number;
  /** Four errors, or as many as were asked for, and more if few attempts had to estimate them. */
  readonly least: number;
}

/** A number of values, their sum, and that of their squares. */
export class Moments {
  n = 0;
  total = 0;
  squares = 0;

  get mean(): number {
    return this.total / this.n;
  }

  /** The squares around the mean. */
  get within(): number {
    return Math.max(0, this.squares - this.total * this.mean);
  }

  add(value: number): void {
    this.n++;
    this.total += value;
    this.squares += value * value;
  }

  static of(parts: readonly Pick<Moments, "n" | "total" | "squares">[]): Moments {
    const all = new Moments();
    for (const { n, total, squares } of parts) {
      all.n += n;
      all.total += total;
      all.squares += squares;
    }
    return all;
  }
}

/**
 * The change of a mean with its error: task by task, where both sides have the tasks of most attempts; otherwise of the means
 * of all groups, which then also differ by their tasks.
 *
 * @param span the range of the values
 * @returns undefined if there is too little to estimate an error from
 */
export function changeOf(before: readonly Values[], after: readonly Values[], span: number): Change | undefined {
  const [earlier, later] = [momentsByTask(before), momentsByTask(after)];
  const common = [...later].flatMap(([task, to]) => {
    const from = earlier.get(task);
    return from === undefined ? [] : [[from, to] as const];
  });
  const [n, all] = [Moments.of(common.map(([, to]) => to)).n, Moments.of([...later.values()]).n];
  if (n * 2 <= all) return pooled([before, after].map(meansOf), 0);
  return pooled([common.map(([from]) => from), common.map(([, to]) => to)], span);
}

/** The change of the mean of strata, weighted by the attempts of the later side. Their values share one variance. */
export function pooled(
  [before = [], after = []]: readonly (readonly Moments[])[],
  span: number,
  errors: number = 4,
): Change | undefined {
  const strata = [...before, ...after];
  const n = Moments.of(after).n;
  // One more value, half of the range away, so that a few equal values do not count as certainty.
  const prior = span > 0 ? 1 : 0;
  const freedom = Moments.of(strata).n - strata.length + prior;
  if (freedom < 4 || n === 0 || Moments.of(before).n === 0) return undefined;
  const variance = (strata.reduce((sum, one) => sum + one.within, 0) + (prior * span ** 2) / 4) / freedom;
  let [from, to, inverse] = [0, 0, 0];
  for (const [at, one] of after.entries()) {
    const other = before[at] ?? one;
    const weight = one.n / n;
    from += weight * other.mean;
    to += weight * one.mean;
    inverse += weight ** 2 * (1 / other.n + 1 / one.n);
  }
  const error = Math.sqrt(variance * inverse);
  return { from, to, change: to - from, error, least: error * quantile(freedom, errors) };
}

function momentsByTask(groups: readonly Values[]): Map<string, Moments> {
  const tasks = new Map<string, Moments>();
  for (const { task, values } of groups) {
    if (values.length === 0) continue;
    const own = tasks.get(task) ?? new Moments();
    tasks.set(task, own);
    for (const value of values) own.add(value);
  }
  return tasks;
}

/** The means of groups as one stratum. */
function meansOf(groups: readonly Values[]): Moments[] {
  const all = new Moments();
  for (const { values } of groups) if (values.length > 0) all.add(values.reduce((sum, one) => sum + one, 0) / values.length);
  return [all];
}

/** The quantile of Student's t for the chance of z standard errors on one side (Cornish and Fisher's series). */
function quantile(freedom: number, z: number): number {
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}
