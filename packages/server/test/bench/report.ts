import { markdownTable } from "@trainyard/terminal/table";

/** One measurement. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  /** What it is compared with. */
  readonly other?: string;
  readonly ratio?: number;
  readonly bar?: string;
  /** Whether it meets its bar, if it has one. */
  readonly met?: boolean;
}

/** A ratio that must not exceed a bar. */
export const atMost = (ratio: number, bar: number): Pick<Row, "ratio" | "bar" | "met"> => ({
  ratio,
  bar: `≤ ${bar}`,
  met: ratio <= bar,
});

/** A ratio that must reach a bar. */
export const atLeast = (ratio: number, bar: number): Pick<Row, "ratio" | "bar" | "met"> => ({
  ratio,
  bar: `≥ ${bar}`,
  met: ratio >= bar,
});

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** The median of the ratios of rounds, because what slows a round down slows both sides. */
export const ratioOf = (a: readonly number[], b: readonly number[]): number =>
  median(a.map((value, round) => value / (b[round] ?? Number.NaN)));

/** Rows as a Markdown table, aligned for terminals. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ what, ours, other = "", ratio, bar = "", met }) => {
    const verdict = met === undefined ? "" : met ? "met" : "**not met**";
    return [what, ours, other, ratio === undefined ? "" : `× ${ratio.toFixed(2)}`, bar, verdict];
  });
  return markdownTable([["", "the local server", "against", "ratio", "bar", ""], ...cells]);
}
