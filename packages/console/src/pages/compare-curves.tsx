/** @jsxImportSource preact */
import type { Curve } from "@trainyard/local";
import { useRead } from "../api/use-read.ts";
import { RewardChart, type ChartLine } from "../charts/reward-chart.tsx";
import { duration } from "../format/format.ts";
import { Card } from "../parts/card.tsx";
import { Waiting } from "../parts/states.tsx";
import { change } from "../state/address.ts";
import type { Compared } from "./compare-page.tsx";

/** The rewards of all runs over each other: one hue and dash a run, val thin. */
export function CompareCurves({ data, query }: Compared & { readonly query: URLSearchParams }) {
  const { items, split } = data;
  const ids = [...new Set(items.map(({ run_id: id }) => id))];
  const own = useCurves(ids, split);
  const val = useCurves(split === "val" ? [] : ids, "val");
  const isByTime = query.get("by") === "time";
  const curves = ids.flatMap((id, run) =>
    [own[run], val[run]].flatMap((curve) =>
      curve !== undefined && curve.step.length > 0 ? [{ id, run, curve, start: own[run]?.time.find(Boolean) }] : [],
    ),
  );
  if (ids.some((_, run) => own[run] === undefined)) return <Waiting height={380} />;
  const placed = curves.map(({ curve, start }) =>
    curve.step.map((step, at) => {
      const time = curve.time[at];
      return !isByTime ? step : time && start ? Date.parse(time) - Date.parse(start) : NaN;
    }),
  );
  const places = [...new Set(placed.flat().filter(Number.isFinite))].toSorted((a, b) => a - b);
  const indexOf = new Map(places.map((place, index) => [place, index]));
  const lines = curves.map(({ id, run, curve }, line): ChartLine => {
    const values = places.map((): number | null => null);
    for (const [at, place] of placed[line]?.entries() ?? []) {
      const index = indexOf.get(place);
      if (index !== undefined) values[index] = curve.mean[at] ?? null;
    }
    const named = items.find((item) => item.run_id === id)?.name ?? "";
    const dots = new Set(
      items.flatMap((item) =>
        item.run_id === id && curve.split === split
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
  const ranges = curves.map(({ curve }) => curve.range);
  const range = { low: Math.min(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) };
  const toStep = (step: number) => {
    const parts = (query.get("runs") ?? "").split(",");
    const last = items.at(-1)?.run_id;
    if (!isByTime && items.length > 1)
      change({ runs: [...parts.slice(0, -1), `${last}@${step}`].join(","), at: undefined });
  };
  return (
    <Card id="curves" title="Reward" end={isByTime ? "by the time since the first log" : "by step"}>
      {places.length === 0 ? (
        <p class="empty">{isByTime ? "The times of these logs are not known." : "No rollouts yet."}</p>
      ) : (
        <RewardChart
          {...{ places, lines, range }}
          {...(isByTime ? { write: (time: number) => duration(time) } : { current: items.at(-1)?.step })}
          onStep={toStep}
          onZoom={() => undefined}
        />
      )}
    </Card>
  );
}

/** The curves of at most four runs. */
function useCurves(ids: readonly string[], split: string): (Curve | undefined)[] {
  const ask = (id: string | undefined) =>
    id === undefined ? undefined : { path: "/runs/{run_id}/curve" as const, params: { run_id: id }, query: { split } };
  const [first, second, third, fourth] = [
    useRead(ask(ids[0]), ids[0]),
    useRead(ask(ids[1]), ids[1]),
    useRead(ask(ids[2]), ids[2]),
    useRead(ask(ids[3]), ids[3]),
  ];
  return [first, second, third, fourth].map((one) => one?.data);
}
