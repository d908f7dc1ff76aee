import type { Curve } from "../api/answers.ts";
import { between, type Values } from "../charts/scale.ts";
import type { FigureProps } from "../charts/small-chart.tsx";
import { change, count, counted, share, small } from "../format/format.ts";

const [toReference, toSampler] = ["KL to the reference", "KL to the sampler"];

/** The charts of the trainer's figures: each shows the first of these names that the trainer uses, with its label. */
const charted: readonly Readonly<Record<string, string>>[] = [
  { kl_reference: toReference, kl_ref: toReference, kl: toSampler },
  { entropy: "Entropy" },
  { loss: "Loss", policy_loss: "Loss" },
  { learning_rate: "Learning rate" },
];

/** The metrics that say whether an attempt passed, by their usual names. */
const passes = ["correct", "pass", "success", "solved", "resolved"];

/**
 * The small charts of a run: figures of its attempts and of its trainer, up to six that are always shown, and the others. A
 * run with only fine-tuning has no attempts.
 *
 * @param reference what the KL is measured to, according to the settings of the newest job
 */
export function figuresOf(
  curve: Curve,
  current: number | undefined,
  reference?: string,
): Record<"shown" | "others", FigureProps[]> {
  const { step, n, tokens, training } = curve;
  const at = current === undefined ? step.length - 1 : step.indexOf(current);
  const back = Math.max(0, at - 5);
  const shown: FigureProps[] = [];
  const passMetric = passes.find((name) => name in curve.metrics);
  if (step.length > 0) {
    const { high, low } = curve.range;
    const top = curve.cells.map((cells, place) => (n[place] ? (cells[9] ?? 0) / n[place] : null));
    const pass = curve.metrics[passMetric ?? ""] ?? top;
    const flat = curve.flat_low.map((one, place) => (one === null ? null : one + (curve.flat_high[place] ?? 0)));
    const lowest = Math.min(...flat.flatMap((value) => value ?? []));
    const { p50, p90 } = tokens;
    const passed = at === back || pass[at] == null || pass[back] == null ? undefined : (pass[at] - pass[back]) * 100;
    const own = { step, at };
    shown.push(
      {
        ...own,
        label: passMetric === undefined ? `Reward ≥ ${small(between({ low, high }, 0.9))}` : `Passed (${passMetric})`,
        values: pass,
        write: (value) => share(value, 1),
        note: passed === undefined ? undefined : `${change(passed, 1)} in ${counted(at - back, "step")}`,
      },
      {
        ...own,
        label: "Groups without signal",
        values: flat,
        write: share,
        note: Number.isFinite(lowest) ? `lowest ${share(lowest)}` : undefined,
        isWarning: (flat[at] ?? 0) >= 0.25,
      },
      {
        ...own,
        label: "Answer, tokens",
        values: p50,
        write: count,
        note: p90[at] == null ? undefined : `p90 ${count(p90[at])}`,
        isWarning: (p50[at] ?? 0) >= 1.5 * (p50[back] ?? Infinity),
      },
    );
  }
  // Beside the step of its attempts, a figure of the trainer is that of the job that they were used for.
  const newest = current === undefined ? -1 : training.step.findLastIndex((one) => one <= current + 1);
  const trained = (label: string, values: Values): FigureProps => ({
    ...plain(label, training.step, values, newest < 0 ? values.length - 1 : newest),
    // A job trains on the answers of the step before the one that it creates.
    ...(label.startsWith("KL") && { tokens: training.step.map((made) => tokens.p50[step.indexOf(made - 1)] ?? null) }),
  });
  const others = new Map(Object.entries(training.metrics));
  for (const labels of charted) {
    const [name = "", label = ""] = Object.entries(labels).find(([one]) => others.has(one)) ?? [];
    const values = others.get(name);
    if (values === undefined || shown.length === 6) continue;
    others.delete(name);
    shown.push(trained(label === toReference && reference ? `${label} (${reference})` : label, values));
  }
  return {
    shown,
    others: [
      ...Object.entries(curve.metrics)
        .filter(([name]) => name !== passMetric)
        .map(([name, values]) => plain(name, step, values, at)),
      ...[...others].map(([name, values]) => trained(name === "kl" ? toSampler : `training: ${name}`, values)),
    ],
  };
}

/** A figure about which only its values are known. */
function plain(label: string, step: readonly number[], values: Values, at: number): FigureProps {
  return { label, step, values, at, note: `from ${small(values.find((one) => one !== null))}` };
}
