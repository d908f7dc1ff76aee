import { n, label, type Drawing } from "./svg.ts";

/** The measurements of `programs/learning/what-goes-wrong.ts`. */
export interface Measured {
  readonly question: string;
  readonly group: readonly { readonly answer: string; readonly reward: number; readonly logprobs: readonly number[] }[];
  readonly runs: readonly {
    readonly name: string;
    readonly steps: readonly {
      readonly reward: number;
      readonly yes: number;
      readonly no: number;
      readonly maybe: number;
      readonly equal_groups: number;
      readonly most_frequent: string;
    }[];
  }[];
}

/** Which answers are counted. */
type Share = "maybe" | "yes, no or maybe";

/** One run: the mean reward, and the share of some answers. */
export function runOf(measured: Measured, name: string, title: string, share: Share = "yes, no or maybe"): Drawing {
  const run = measured.runs.find((one) => one.name === name);
  if (run === undefined) throw new Error(`There is no run ${name}.`);
  const { steps } = run;
  const [left, right, top, bottom] = [50, 490, 20, 200];
  const x = (step: number) => left + ((right - left) * step) / (steps.length - 1);
  const y = (value: number) => bottom - (bottom - top) * value;
  const proper = steps.map(({ yes, no, maybe }) => (share === "maybe" ? maybe : yes + no + maybe));
  const rewards = steps.map(({ reward }) => reward);
  const line = (values: readonly number[], kind: string) =>
    `<polyline points="${values.map((value, step) => `${n(x(step))},${n(y(value))}`).join(" ")}" class="series ${kind}"/>` +
    values.map((value, step) => `<circle cx="${n(x(step))}" cy="${n(y(value))}" r="3.5" class="${kind}"/>`).join("");
  const [last, first] = [steps.at(-1), steps[0]];
  const percent = (value: number) => `${Math.round(value * 100)} %`;
  // If two names end at the same height, one is drawn below the other.
  const ends = [
    { at: y(rewards.at(-1) ?? 0), name: "mean reward", kind: "first" },
    { at: y(proper.at(-1) ?? 0), name: share, kind: "second" },
  ].toSorted((a, b) => a.at - b.at);
  return {
    title,
    text: `Mean reward by job: ${rewards.map((reward) => reward.toFixed(2)).join(", ")}. Share of answers that are ${share}: ${proper.map(percent).join(", ")}. The most frequent answer is “${first?.most_frequent}” at first and “${last?.most_frequent}” in the end.`,
    width: 680,
    height: 255,
    parts: [
      ...[0, 0.5, 1].map(
        (value) =>
          `<path d="M${left} ${y(value)}H${right}" class="grid"/>` +
          label(left - 8, y(value) + 5, String(value), { anchor: "end", kind: "note" }),
      ),
      ...steps.map((_, step) => label(x(step), bottom + 20, String(step), { kind: "note" })),
      label((left + right) / 2, bottom + 44, "jobs completed", { kind: "note" }),
      line(rewards, "first"),
      line(proper, "second"),
      ...ends.map(({ at, name, kind }, index) =>
        label(right + 12, Math.max(at, index * 20 + (ends[0]?.at ?? 0)) + 5, name, {
          anchor: "start",
          kind: `label ${kind}`,
        }),
      ),
    ],
  };
}
