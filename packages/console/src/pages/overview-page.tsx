/** @jsxImportSource preact */
import type { Curve } from "@trainyard/local";
import type { JSX } from "preact";
import { useRead } from "../api/use-read.ts";
import { MiniChart } from "../charts/mini-chart.tsx";
import { RewardChart, type Zoom } from "../charts/reward-chart.tsx";
import { useCursor } from "../list/use-cursor.ts";
import { Download } from "../parts/download.tsx";
import { Findings } from "../parts/findings.tsx";
import { Frame } from "../parts/frame.tsx";
import { JobTable } from "../parts/job-table.tsx";
import { OtherMetrics } from "../parts/other-metrics.tsx";
import { RunHead } from "../parts/run-head.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { change, go, hrefOf, readAddress } from "../state/address.ts";
import { figuresOf } from "./figures.ts";
import { StepPanel } from "./step-panel.tsx";

/** Shows whether the model is learning, and what went wrong. */
export function OverviewPage({ run, query }: { readonly run: string; readonly query: URLSearchParams }): JSX.Element {
  const params = { run_id: run };
  const detail = useRead({ path: "/runs/{run_id}", params }, run);
  const splits = detail.data?.splits ?? [];
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
  const stepInAddress = query.get("step");
  const step = stepInAddress === null ? steps.at(-1) : Number(stepInAddress);
  // Without a zoom, the selected step is always the newest.
  const isNewest = stepInAddress === null && zoom === undefined;
  const findings = useRead(
    { path: "/runs/{run_id}/findings", params, query: { ...(!isNewest && step !== undefined && { step }) } },
    run,
  );
  const groups = useRead(
    step === undefined
      ? undefined
      : { path: "/runs/{run_id}/groups", params, query: { step, split, sort: "flagged", limit: 8 } },
    run,
  );
  const lines = groups.data?.data ?? [];
  const { at, keys } = useCursor(lines.length, "group", (place) => {
    const group = lines[place];
    if (group !== undefined) go(hrefOf(["runs", run, "groups", group.id]));
  });
  if (detail.error !== undefined) return <Failed error={detail.error} what="Run" />;
  const { data } = detail;
  const toStep = (next: number | undefined) =>
    next !== undefined && change({ step: next === steps.at(-1) && zoom === undefined ? undefined : next });
  const move = (by: number) => {
    // Keys may arrive faster than the page is drawn, so the address has the current state.
    const here = readAddress().query.get("step");
    toStep(steps[(here === null ? steps.length - 1 : steps.indexOf(Number(here))) + by]);
  };
  const setZoom = (range: Zoom | undefined) => {
    const isInside =
      stepInAddress !== null &&
      range !== undefined &&
      Number(stepInAddress) >= range.from &&
      Number(stepInAddress) <= range.to;
    change({ from: range?.from, to: range?.to, ...(range !== undefined && !isInside && { step: undefined }) });
  };
  const bindings = [
    {
      keys: ["ArrowLeft", "ArrowRight"],
      shown: ["←", "→"],
      what: "previous and next step",
      run: ({ key }: KeyboardEvent) => move(key === "ArrowLeft" ? -1 : 1),
    },
    {
      keys: ["+", "=", "-"],
      shown: ["+", "−"],
      what: "show fewer or more steps",
      run: ({ key }: KeyboardEvent) =>
        setZoom(zoomed(steps, { middle: step, last: data?.run.step ?? 0, isIn: key !== "-" })),
    },
    ...keys,
    {
      keys: ["l"],
      shown: ["l"],
      what: "follow the newest step",
      run: () => change({ step: undefined, from: undefined, to: undefined }),
    },
    { keys: ["Escape"], shown: ["Esc"], what: "back to all runs", run: () => go(hrefOf([])) },
  ];
  const crumbs =
    data === undefined
      ? []
      : [
          { text: data.run.project, href: hrefOf([], { project: data.run.project }) },
          { text: data.run.name, href: hrefOf(["runs", run]) },
        ];
  const hasRollouts = curve.data !== undefined && steps.length > 0;
  const training = curve.data?.training;
  return (
    <Frame title={data?.run.name ?? "Run"} crumbs={crumbs} keys={bindings} isSlow={detail.isSlow || curve.isSlow}>
      {data !== undefined && <RunHead detail={data} tab="overview" />}
      <Findings run={run} findings={findings.data?.data ?? []} />
      <div class="cols">
        <div class="stack">
          {(hasRollouts || training === undefined || training.step.length === 0) && (
            <section class="card" aria-labelledby="reward">
              <header>
                <h2 id="reward">Reward</h2>
                <div class="end">
                  {zoom !== undefined && (
                    <button type="button" class="button" onClick={() => setZoom(undefined)}>
                      All steps
                    </button>
                  )}
                  <Download
                    ask={{ path: "/runs/{run_id}/curve.csv", params, query: { split, ...zoom } }}
                    text="Download CSV"
                    title={`Download CSV: the curve of ${split}`}
                  />
                  <span class="legend">
                    <i />
                    {split}, mean
                  </span>
                  {wantsVal && (
                    <span class="legend">
                      <i class="dash" />
                      val
                    </span>
                  )}
                  <span class="legend">
                    <i class="cell" />
                    share of attempts
                  </span>
                </div>
              </header>
              {hasRollouts && curve.data !== undefined ? (
                <RewardChart
                  name="Reward"
                  train={curve.data}
                  val={val.data}
                  current={step}
                  onStep={toStep}
                  onZoom={setZoom}
                />
              ) : (
                <p class="empty tall">
                  {curve.data === undefined
                    ? ""
                    : zoom === undefined
                      ? "No rollouts yet"
                      : "No rollouts at these steps"}
                </p>
              )}
            </section>
          )}
          <Minis curve={curve.data} step={step} passMetric={passMetric(data?.metrics ?? [])} />
          <section class="card" aria-labelledby="jobs">
            <header>
              <h2 id="jobs">Jobs</h2>
              <div class="end">
                <a href={hrefOf(["runs", run, "jobs"])}>All {data?.jobs ?? ""}</a>
              </div>
            </header>
            {jobs.data === undefined || jobs.data.data.length > 0 ? (
              <JobTable run={run} jobs={jobs.data?.data ?? []} />
            ) : (
              <p class="empty">No job has trained this model yet.</p>
            )}
          </section>
        </div>
        {curve.data === undefined && <Waiting height={400} />}
        {hasRollouts && step !== undefined && curve.data !== undefined && (
          <StepPanel
            run={run}
            step={step}
            split={split}
            splits={splits}
            curve={curve.data}
            groups={lines}
            total={groups.data?.total ?? 0}
            at={at}
            onMove={move}
          />
        )}
      </div>
    </Frame>
  );
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

/** A metric that says whether an attempt passed. */
function passMetric(names: readonly string[]): string | undefined {
  return ["correct", "pass", "success", "solved", "resolved"].find((name) => names.includes(name));
}

interface MinisProps {
  readonly curve: Curve | undefined;
  readonly step: number | undefined;
  readonly passMetric: string | undefined;
}

/** Six figures by step, and a list of the others. */
function Minis({ curve, step, passMetric }: MinisProps): JSX.Element {
  if (curve === undefined) return <Waiting height={206} />;
  const { shown, others } = figuresOf(curve, step, passMetric);
  return (
    <>
      <section class="minis card" aria-label="Figures by step">
        {shown.map((figure) => (
          <MiniChart key={figure.label} {...figure} />
        ))}
      </section>
      <OtherMetrics figures={others} />
    </>
  );
}
