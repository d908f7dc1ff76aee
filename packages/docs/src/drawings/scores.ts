import { n, label, type Drawing } from "./svg.ts";

/** The example of feedback statistics that is drawn. */
export interface Scores {
  readonly buckets: readonly {
    readonly timestamp: string;
    readonly count: number;
    readonly avg_output_score: number;
    readonly p5_output_score: number;
    readonly p95_output_score: number;
  }[];
}

/** Buckets over time: the means as bars, the percentiles as lines. */
export function drawScores({ buckets }: Scores): Drawing {
  const step = 150;
  const width = buckets.length * step + 50;
  const y = (value: number) => 190 - value * 160;
  const hour = (timestamp: string) => timestamp.slice(11, 16);
  return {
    title: "Scores by quarter of the day",
    text: buckets
      .map(({ timestamp, count, avg_output_score: mean, p5_output_score: low, p95_output_score: high }) =>
        count === 0
          ? `${hour(timestamp)}: no rows.`
          : `${hour(timestamp)}: ${count} rows, mean ${mean}, from ${low} to ${high}.`,
      )
      .join(" "),
    width,
    height: 230,
    parts: [
      ...[0, 0.5, 1].map(
        (value) =>
          `<path d="M40 ${y(value)}H${width}" class="grid"/>` +
          label(30, y(value) + 4, String(value), { anchor: "end", kind: "note" }),
      ),
      ...buckets.map(({ timestamp, count, ...scores }, index) => {
        const middle = 115 + index * step;
        const time = label(middle, 214, hour(timestamp), { kind: "note" });
        if (count === 0) return time + label(middle, y(0) - 12, "no rows", { kind: "note" });
        const { avg_output_score: mean, p5_output_score: low, p95_output_score: high } = scores;
        const ends = [low, high].map((value) => `M${middle - 12} ${n(y(value))}h24`).join("");
        return (
          `<rect x="${middle - 35}" y="${n(y(mean))}" width="70" height="${n(y(0) - y(mean))}" rx="4" class="bar"/>` +
          `<path d="M${middle} ${n(y(low))}V${n(y(high))}${ends}" class="spread"/>` +
          label(middle + 42, y(mean) + 16, mean.toFixed(2), { anchor: "start" }) +
          time
        );
      }),
    ],
  };
}
