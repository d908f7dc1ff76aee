import { useRead } from "../api/use-read.ts";
import type { Zoom } from "../charts/use-chart-range.ts";
import type { RunPageProps } from "../parts/run-page.tsx";
import { change, readAddress } from "../state/address.ts";

/** What the overview of a run shows, and the functions that change its steps. */
export type Overview = ReturnType<typeof useOverview>;

/** Reads the overview that an address selects. */
export function useOverview({ run, detail, query }: RunPageProps) {
  const params = { run_id: run };
  const splits = detail?.splits ?? [];
  const split = query.get("split") ?? splits[0] ?? "train";
  const zoom = zoomOf(query);
  const curve = useRead({ path: "/runs/{run_id}/curve", params, query: { split, ...zoom } }, run);
  const wantsVal = splits.includes("val") && split !== "val";
  const val = useRead(
    wantsVal ? { path: "/runs/{run_id}/curve", params, query: { split: "val", ...zoom } } : undefined,
    run,
  );
  const jobs = useRead({ path: "/runs/{run_id}/jobs", params, query: { limit: 5 } }, run);
  const steps = curve.data?.step ?? [];
  const stepInAddress = query.has("step") ? Number(query.get("step")) : undefined;
  const step = stepInAddress ?? steps.at(-1);
  // Without a zoom, the selected step is always the newest.
  const isNewest = stepInAddress === undefined && zoom === undefined;
  const at = isNewest || step === undefined ? {} : { step };
  const findings = useRead({ path: "/runs/{run_id}/findings", params, query: at }, run);
  const groups = useRead(
    step === undefined
      ? undefined
      : { path: "/runs/{run_id}/groups", params, query: { step, split, sort: "flagged", limit: 8 } },
    run,
  );
  const toStep = (next: number | undefined): void => {
    if (next !== undefined) change({ step: next === steps.at(-1) && zoom === undefined ? undefined : next });
  };
  const setZoom = (range: Zoom | undefined): void => {
    const isOutside =
      range !== undefined && !(stepInAddress !== undefined && stepInAddress >= range.from && stepInAddress <= range.to);
    change({ from: range?.from, to: range?.to, ...(isOutside && { step: undefined }) });
  };
  return {
    run,
    split,
    splits,
    zoom,
    step,
    steps,
    curve,
    val: wantsVal ? val.data : undefined,
    jobs: jobs.data,
    findings: findings.data?.data ?? [],
    groups: groups.data?.data ?? [],
    groupTotal: groups.data?.total ?? 0,
    toStep,
    setZoom,
    move(by: number): void {
      // Keys may arrive faster than the page is drawn, so the address has the current state.
      const here = readAddress().query.get("step");
      toStep(steps[(here === null ? steps.length - 1 : steps.indexOf(Number(here))) + by]);
    },
    /** Shows fewer steps, or more. */
    scale(isIn: boolean): void {
      setZoom(zoomed(steps, { middle: step, last: detail?.run.step ?? 0, isIn }));
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

/** Half as many steps around the middle, or twice as many; undefined for all of them. */
function zoomed(
  steps: readonly number[],
  { middle, last, isIn }: { middle: number | undefined; last: number; isIn: boolean },
): Zoom | undefined {
  const [first = 0, end = 0] = [steps[0], steps.at(-1)];
  const half = Math.max(1, Math.round((end - first) * (isIn ? 0.25 : 1)));
  const center = Math.max(first, Math.min(end, middle ?? end));
  // At an end, the same number of steps as in the middle.
  const from = Math.max(isIn ? first : 0, Math.min(center - half, (isIn ? end : Math.max(end, last)) - 2 * half));
  const to = Math.min(isIn ? end : Math.max(end, last), from + 2 * half);
  return !isIn && from === 0 && to >= last ? undefined : { from, to };
}
