/** @jsxImportSource preact */
import type { Curve } from "@trainyard/local";
import type { JSX } from "preact";
import { useRead } from "../api/use-read.ts";
import { MiniChart } from "../charts/mini-chart.tsx";
import { RewardChart } from "../charts/reward-chart.tsx";
import { useCursor } from "../list/use-cursor.ts";
import { Findings } from "../parts/findings.tsx";
import { Frame } from "../parts/frame.tsx";
import { JobTable } from "../parts/job-table.tsx";
import { RunHead } from "../parts/run-head.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { change, go, hrefOf, readAddress } from "../state/address.ts";
import { figuresOf } from "./figures.ts";
import { StepPanel } from "./step-panel.tsx";

/** Is it learning? What went wrong? */
export function OverviewPage({ run, query }: { readonly run: string; readonly query: URLSearchParams }): JSX.Element {
  const params = { run_id: run };
  const detail = useRead({ path: "/runs/{run_id}", params }, run);
  const splits = detail.data?.splits ?? [];
  const split = query.get("split") ?? splits[0] ?? "train";
  const curve = useRead({ path: "/runs/{run_id}/curve", params, query: { split } }, run);
  const wantsVal = splits.includes("val") && split !== "val";
  const val = useRead(wantsVal ? { path: "/runs/{run_id}/curve", params, query: { split: "val" } } : undefined, run);
  const jobs = useRead({ path: "/runs/{run_id}/jobs", params, query: { limit: 5 } }, run);
  const steps = curve.data?.step ?? [];
  const asked = query.get("step");
  const step = asked === null ? steps.at(-1) : Number(asked);
  const findings = useRead(
    { path: "/runs/{run_id}/findings", params, query: { ...(asked !== null && { step: Number(asked) }) } },
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
    next !== undefined && change({ step: next === steps.at(-1) ? undefined : next });
  const move = (by: number) => {
    // Keys may come faster than the page is drawn: the address knows.
    const here = readAddress().query.get("step");
    toStep(steps[(here === null ? steps.length - 1 : steps.indexOf(Number(here))) + by]);
  };
  const bindings = [
    {
      keys: ["ArrowLeft", "ArrowRight"],
      shown: ["←", "→"],
      what: "step",
      run: ({ key }: KeyboardEvent) => move(key === "ArrowLeft" ? -1 : 1),
    },
    ...keys,
    { keys: ["l"], shown: ["l"], what: "follow the newest step", run: () => change({ step: undefined }) },
    { keys: ["Escape"], shown: ["Esc"], what: "all runs", run: () => go(hrefOf([])) },
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
                <RewardChart name="Reward" train={curve.data} val={val.data} current={step} onStep={toStep} />
              ) : (
                <p class="empty tall">{curve.data === undefined ? "" : "No rollouts yet"}</p>
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

/** A metric that says whether an attempt passed. */
function passMetric(names: readonly string[]): string | undefined {
  return ["correct", "pass", "success", "solved", "resolved"].find((name) => names.includes(name));
}

interface MinisProps {
  readonly curve: Curve | undefined;
  readonly step: number | undefined;
  readonly passMetric: string | undefined;
}

/** Six figures by step. */
function Minis({ curve, step, passMetric }: MinisProps): JSX.Element {
  if (curve === undefined) return <Waiting height={206} />;
  return (
    <section class="minis card" aria-label="Figures by step">
      {figuresOf(curve, step, passMetric).map((figure) => (
        <MiniChart key={figure.label} {...figure} />
      ))}
    </section>
  );
}
