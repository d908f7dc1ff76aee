import { useRead } from "../api/use-read.ts";
import type { Zoom } from "../charts/use-chart-range.ts";
import type { RunPageProps } from "../parts/run-page.tsx";
import { change, hrefOf, readAddress, valuesOf } from "../state/address.ts";

/** What the overview of a run shows, and the functions that change its steps. */
export type Overview = ReturnType<typeof useOverview>;

/** Reads the overview that an address selects. */
export function useOverview({ run, detail, query }: RunPageProps) {
  const params = { run_id: run };
  const splits = detail?.splits ?? [];
  const split = query.get("split") ?? splits[0] ?? "train";
  const zoom = zoomOf(query);
  // The step of the address is the selected one.
  const filter = valuesOf(query, ["at", "split", "step", "from", "to", "by", "groups"]);
  const by = query.get("by") ?? undefined;
  const curve = useRead({ path: "/runs/{run_id}/curve", params, query: { split, by, ...zoom }, filter }, run);
  // After the curve, because all metadata are read for it.
  const { data: keys } = useRead(curve.data && { path: "/runs/{run_id}/keys", params }, "");
  const wantsVal = splits.includes("val") && split !== "val";
  const val = useRead(
    wantsVal ? { path: "/runs/{run_id}/curve", params, query: { split: "val", ...zoom }, filter } : undefined,
    run,
  );
  const jobs = useRead({ path: "/runs/{run_id}/jobs", params, query: { limit: 5 } }, run);
  const steps = curve.data?.step ?? [];
  const stepInAddress = query.has("step") ? Number(query.get("step")) : undefined;
  const step = stepInAddress ?? steps.at(-1);
  const { data: marks } = useRead({ path: "/runs/{run_id}/marks", params }, run);
  const before = (one: number) => steps.findLast((other) => other < one);
  const oldest = marks?.data.find(({ until }) => until === null);
  const groups = useRead(
    step === undefined
      ? undefined
      : {
          path: "/runs/{run_id}/groups",
          params,
          query: { sort: "flagged", limit: query.has("groups") ? 200 : 8 },
          filter: { ...filter, step, split },
        },
    run,
  );
  const toStep = (next: number | undefined): void => {
    if (next !== undefined) change({ step: next === steps.at(-1) && zoom === undefined ? undefined : next });
  };
  const setZoom = (range: Zoom | undefined): void => {
    const isInside =
      !range || (stepInAddress !== undefined && stepInAddress >= range.from && stepInAddress <= range.to);
    change({ from: range?.from, to: range?.to, step: isInside ? stepInAddress : undefined });
  };
  return {
    run,
    query,
    filter,
    by,
    keys,
    split,
    splits,
    zoom,
    step,
    steps,
    curve,
    val: wantsVal ? val.data : undefined,
    jobs: jobs.data,
    marks,
    /** The address of the comparison of the step before a mark with the newest one. */
    compareHref: (since: number) => {
      const [from, last] = [before(since) ?? since, steps.at(-1) ?? since];
      return hrefOf(["compare"], { runs: `${run}@${from},${run}@${last}`, split });
    },
    /** The step that another is compared with: the one before the oldest open mark, unless a step is selected. */
    compared: stepInAddress === undefined && oldest ? (before(oldest.since) ?? before(step ?? 0)) : before(step ?? 0),
    groups: groups.data?.data ?? [],
    groupTotal: groups.data?.total ?? 0,
    toStep,
    setZoom,
    move(by: number): void {
      // Keys may arrive faster than the page is drawn, so the address has the current state.
      const here = readAddress().query.get("step");
      toStep(steps[(here === null ? steps.length - 1 : steps.indexOf(Number(here))) + by]);
    },
  };
}

/** The steps of a zoom, from the address. Invalid values are ignored. */
function zoomOf(query: URLSearchParams): Zoom | undefined {
  const [from, to] = ["from", "to"].map((name) =>
    /^\d{1,9}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : NaN,
  );
  return from !== undefined && to !== undefined && from <= to ? { from, to } : undefined;
}
