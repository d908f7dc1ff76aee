import type { Curve } from "@trainyard/local";
import type { MiniChartProps } from "../charts/mini-chart.tsx";
import { change, count, share, small } from "../format/format.ts";

type Values = readonly (number | null)[];

/** Which of what a trainer tells is shown, by its usual names. */
const known: readonly (readonly [string, readonly string[]])[] = [
  ["KL to base", ["kl_reference", "kl_ref", "kl"]],
  ["Entropy", ["entropy"]],
  ["Loss", ["loss", "policy_loss"]],
  ["Learning rate", ["learning_rate"]],
];

/** The small charts of a run: what its attempts did, and what its trainer tells. A run that only tunes has the latter alone. */
export function figuresOf(curve: Curve, current: number | undefined, passMetric: string | undefined): MiniChartProps[] {
  const at = current === undefined ? curve.step.length - 1 : curve.step.indexOf(current);
  const back = Math.max(0, at - 5);
  const figures: MiniChartProps[] = [];
  const add = (label: string, values: Values, write: MiniChartProps["write"], note?: string, isWarning = false) =>
    figures.push({ label, step: curve.step, values, write, now: write(values[at] ?? null), note, isWarning, current });
  if (curve.step.length > 0) {
    const { high, low } = curve.range;
    const top = curve.cells.map((cells, place) =>
      (curve.n[place] ?? 0) === 0 ? null : (cells[9] ?? 0) / (curve.n[place] ?? 1),
    );
    const pass = passMetric === undefined ? top : (curve.metrics[passMetric] ?? top);
    const moved =
      pass[at] == null || pass[back] == null
        ? undefined
        : `${change(((pass[at] ?? 0) - (pass[back] ?? 0)) * 100, 1)} in 5 steps`;
    add(
      passMetric === undefined ? `Reward ≥ ${small(low + 0.9 * (high - low))}` : `Passed (${passMetric})`,
      pass,
      (value) => share(value, 1),
      moved,
    );
    const flat = curve.flat_low.map((one, place) => (one === null ? null : one + (curve.flat_high[place] ?? 0)));
    const lowest = Math.min(...flat.flatMap((value) => value ?? []));
    add(
      "Groups without signal",
      flat,
      share,
      Number.isFinite(lowest) ? `lowest ${share(lowest)}` : undefined,
      (flat[at] ?? 0) >= 0.25,
    );
    const { p50, p90 } = curve.tokens;
    const grows = (p50[at] ?? 0) >= 1.5 * (p50[back] ?? Infinity);
    add("Answer, tokens", p50, count, p90[at] == null ? undefined : `p90 ${count(p90[at])}`, grows);
  }
  const { step, metrics } = curve.training;
  for (const [label, names] of known) {
    const name = names.find((one) => one in metrics);
    const values = name === undefined ? undefined : metrics[name];
    if (values === undefined) continue;
    const newest = current === undefined ? -1 : step.findLastIndex((one) => one <= current + 1);
    const value = values[newest < 0 ? values.length - 1 : newest] ?? null;
    const first = values.find((one) => one !== null) ?? null;
    figures.push({
      label,
      step,
      values,
      write: small,
      now: small(value),
      note: `from ${small(first)}`,
      current: step[newest],
    });
  }
  return figures.slice(0, 6);
}
