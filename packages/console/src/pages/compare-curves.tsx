/** @jsxImportSource preact */
import { RewardChart, type ChartLine } from "../charts/reward-chart.tsx";
import { duration } from "../format/format.ts";
import { Card } from "../parts/card.tsx";
import { change } from "../state/address.ts";
import type { Compared } from "./compare-page.tsx";

/** The rewards of all runs over each other: one hue and dash a run, val thin. */
export function CompareCurves({ data, query }: Compared & { readonly query: URLSearchParams }) {
  const { items, curves, split } = data;
  const ids = [...new Set(items.map(({ run_id: id }) => id))];
  const isByTime = query.get("by") === "time";
  const placed = curves.map(({ run_id: id, step, time }) => {
    const start = curves.find((one) => one.run_id === id)?.time.find((one) => one !== null) ?? NaN;
    return isByTime ? time.map((one) => (one ?? NaN) - start) : step;
  });
  const places = [...new Set(placed.flat().filter(Number.isFinite))].toSorted((a, b) => a - b);
  const indexOf = new Map(places.map((place, index) => [place, index]));
  const lines = curves.map((curve, line): ChartLine => {
    const run = ids.indexOf(curve.run_id);
    const values = places.map((): number | null => null);
    for (const [at, place] of placed[line]?.entries() ?? []) {
      const index = indexOf.get(place);
      if (index !== undefined) values[index] = curve.mean[at] ?? null;
    }
    const named = items.find((item) => item.run_id === curve.run_id)?.name ?? "";
    const dots = new Set(
      items.flatMap((item) =>
        item.run_id === curve.run_id && curve.split === split
          ? (indexOf.get(placed[line]?.[curve.step.indexOf(item.step)] ?? NaN) ?? [])
          : [],
      ),
    );
    return {
      name: ids.length === 1 ? curve.split : `${named}${curve.split === split ? "" : `, ${curve.split}`}`,
      class: `line${run}${curve.split === split ? "" : " thin"}`,
      values,
      hasDot: (place) => dots.has(place),
    };
  });
  const ranges = items.map((item) => item.range);
  const range = { low: Math.min(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) };
  const toStep = (step: number) => {
    const parts = (query.get("runs") ?? "").split(",");
    const last = items.at(-1)?.run_id;
    if (!isByTime && items.length > 1)
      change({ runs: [...parts.slice(0, -1), `${last}@${step}`].join(","), at: undefined });
  };
  const thin = curves.find((curve) => curve.split !== split)?.split;
  const along = isByTime ? "by the time since the first log" : "by step";
  return (
    <Card id="curves" title="Reward" end={thin === undefined ? along : `${along}; thin: ${thin}`}>
      {places.length === 0 ? (
        <p class="empty">{isByTime ? "The times of these logs are not known." : "No rollouts yet."}</p>
      ) : (
        <RewardChart
          {...{ places, lines, range }}
          {...(isByTime
            ? { write: (time: number) => duration(time) }
            : { current: items.at(-1)?.step, marks: items.slice(0, -1).map(({ step }) => step) })}
          onStep={toStep}
          onZoom={() => undefined}
        />
      )}
    </Card>
  );
}
