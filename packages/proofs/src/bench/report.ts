import { markdownTable } from "@trainyard/terminal/table";

/** The median of the measurements, and their middle half. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** One line of a table. */
export interface Row {
  readonly what: string;
  /** With its unit. */
  readonly measured: string;
  readonly ratio?: Spread;
  readonly bar?: string;
  /** Whether it meets its bar; undefined if it was not measured, or has none. */
  readonly met?: boolean;
}

/** The results of one part of the benchmarks. */
export interface Findings {
  /** The method, in a sentence or two. */
  readonly how: string;
  /** The reference of `ratio`. */
  readonly against?: string;
  readonly rows: readonly Row[];
}

/** The results by title. */
export interface Section extends Findings {
  readonly title: string;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => {
    const index = (sorted.length - 1) * part;
    const below = sorted[Math.floor(index)] ?? NaN;
    const above = sorted[Math.ceil(index)] ?? NaN;
    return below + (above - below) * (index % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Each value relative to the one of the same round, because what slows a round down slows both. */
export function ratios(values: readonly number[], base: readonly number[] = []): Spread {
  return spreadOf(values.map((value, round) => value / (base[round] ?? NaN)));
}

const digits = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

/** An upper limit of a value. */
export const atMost = (value: number, bar: number, text: string): Pick<Row, "bar" | "met"> => ({
  bar: `≤ ${text}`,
  met: value <= bar,
});

/** A lower limit of a value. */
export const atLeast = (value: number, bar: number, text: string): Pick<Row, "bar" | "met"> => ({
  bar: `≥ ${text}`,
  met: value >= bar,
});

/** A section as an aligned Markdown table, which is also readable in a terminal. */
export function tableOf({ rows, against }: Findings): string {
  const head = ["", "measured", against ? `against ${against}` : "", "middle half", "bar", ""];
  const cells = rows.map(({ what, measured, ratio, bar, met }) => [
    what,
    measured,
    ratio ? `× ${digits(ratio.median)}` : "",
    ratio && ratio.high !== ratio.low ? `${digits(ratio.low)} to ${digits(ratio.high)}` : "",
    bar ?? "",
    met === undefined ? "" : met ? "met" : "**not met**",
  ]);
  const used = head.map((_, column) => column < 2 || cells.some((row) => row[column] !== ""));
  return markdownTable([head, ...cells].map((row) => row.filter((_, column) => used[column])));
}

/** One line about all bars, with the names of those that are not met. */
export function verdict(sections: readonly Section[]): string {
  const rows = sections.flatMap(({ title, rows }) => rows.map((row) => ({ ...row, title })));
  const missed = rows.filter(({ met }) => met === false);
  const open = rows.filter(({ bar, met }) => bar !== undefined && met === undefined);
  const counts = [
    `${rows.filter(({ met }) => met).length} bars met`,
    `${missed.length} not met`,
    `${open.length} not measured`,
  ].join(", ");
  const names = [...missed, ...open].map(
    ({ title, what, measured, bar }) => `- ${title}: ${what}: ${measured}, bar ${bar}`,
  );
  return [`${counts}.`, ...(names.length > 0 ? ["", ...names] : [])].join("\n");
}
