import type { Curve } from "@trainyard/local";
import type { MiniChartProps } from "../charts/mini-chart.tsx";
import { change, count, share, small } from "../format/format.ts";

type Values = readonly (number | null)[];

/** The charts of the trainer's figures: each shows the first of these names that the trainer uses, with its label. */
const charted: readonly Readonly<Record<string, string>>[] = [
  { kl_reference: "KL to base", kl_ref: "KL to base", kl: "KL to the sampler" },
  { entropy: "Entropy" },
  { loss: "Loss", policy_loss: "Loss" },
  { learning_rate: "Learning rate" },
];

/** A figure that is drawn on request. */
export interface OtherFigure {
  readonly label: string;
  readonly draw: () => MiniChartProps;
}

/** The figures of a run: those that are always shown, and the others. */
export interface Figures {
  readonly shown: readonly MiniChartProps[];
  readonly others: readonly OtherFigure[];
}

/** The small charts of a run: figures of its attempts and of its trainer. A run with only fine-tuning has no attempts. */
export function figuresOf(curve: Curve, current: number | undefined, passMetric: string | undefined): Figures {
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
  const drawn = new Set<string>();
  const ofTraining = (label: string, values: Values): MiniChartProps => {
    const newest = current === undefined ? -1 : step.findLastIndex((one) => one <= current + 1);
    return plain(label, step, values, newest < 0 ? values.length - 1 : newest);
  };
  for (const labels of charted) {
    const [name = "", label = ""] = Object.entries(labels).find(([one]) => one in metrics) ?? [];
    const values = metrics[name];
    if (values === undefined || figures.length === 6) continue;
    drawn.add(name);
    figures.push(ofTraining(label, values));
  }
  const others = [
    ...Object.entries(curve.metrics)
      .filter(([name]) => name !== passMetric)
      .map(([name, values]) => ({ label: name, draw: () => plain(name, curve.step, values, at) })),
    ...Object.entries(metrics)
      .filter(([name]) => !drawn.has(name))
      .map(([name, values]) => ({ label: `training: ${name}`, draw: () => ofTraining(`training: ${name}`, values) })),
  ];
  return { shown: figures, others };
}

/** A figure about which only its values are known. */
function plain(label: string, step: readonly number[], values: Values, at: number): MiniChartProps {
  const first = values.find((one) => one !== null) ?? null;
  return {
    label,
    step,
    values,
    write: small,
    now: small(values[at] ?? null),
    note: `from ${small(first)}`,
    current: step[at],
  };
}
