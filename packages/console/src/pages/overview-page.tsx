/** @jsxImportSource preact */
import type { Curve, JobSummary, RunKeys } from "../api/answers.ts";
import { useState } from "preact/hooks";
import type { Query } from "../api/read.ts";
import { partText, RewardChart, type ChartLine } from "../charts/reward-chart.tsx";
import { Figure } from "../charts/small-chart.tsx";
import { count } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { Card } from "../parts/card.tsx";
import { Download } from "../parts/buttons.tsx";
import { Choice, exactly, type Options } from "../parts/filters.tsx";
import { JobTable } from "../parts/job-table.tsx";
import { writeLine } from "../parts/query-line.tsx";
import { RunPage, type RunPageProps } from "../parts/run-page.tsx";
import { FirstCode, Waiting } from "../parts/states.tsx";
import { change, go, hrefOf } from "../state/address.ts";
import { figuresOf } from "./figures.ts";
import { MarkList } from "./marks.tsx";
import { StepPanel } from "./step-panel.tsx";
import { useOverview, type Overview } from "./use-overview.ts";

/** Shows whether the model is learning, and what went wrong. */
export function OverviewPage({ run, detail, query }: RunPageProps) {
  const overview = useOverview({ run, detail, query });
  const { curve, groups, jobs } = overview;
  const { at, keys } = useCursor(groups.length, "group");
  const bindings = [
    {
      keys: ["ArrowLeft", "ArrowRight"],
      what: "previous and next step",
      run: ({ key }: KeyboardEvent) => overview.move(key === "ArrowLeft" ? -1 : 1),
    },
    ...keys,
    {
      keys: ["l"],
      what: "follow the newest step",
      run: () => change({ step: undefined, from: undefined, to: undefined }),
    },
    {
      keys: ["d"],
      what: "compare with the step before, or before the oldest mark",
      run: () => document.querySelector<HTMLElement>(".step-panel .foot a[href*=compare]")?.click(),
    },
    { keys: ["Escape"], what: "back to all runs", run: () => go(hrefOf([])) },
  ];
  return (
    <RunPage run={run} detail={detail} tab="Overview" keys={bindings}>
      <MarkList overview={overview} />
      {detail?.groups === 0 && detail.jobs === 0 && <FirstCode model={run} />}
      <div class="cols">
        <div class="stack">
          <Reward overview={overview} />
          <Minis overview={overview} />
          <Card id="jobs" title="Jobs" end={<a href={hrefOf(["runs", run, "jobs"])}>All {detail?.jobs ?? ""}</a>}>
            {jobs === undefined || jobs.data.length > 0 ? (
              <JobTable run={run} jobs={jobs?.data ?? []} />
            ) : (
              <p class="empty">No job has trained this model yet.</p>
            )}
          </Card>
        </div>
        {curve.data === undefined && <Waiting height={400} />}
        <StepPanel overview={overview} at={at} />
      </div>
    </RunPage>
  );
}

/** The reward by step. A run that has only fine-tuning has no rewards. */
function Reward({ overview }: { readonly overview: Overview }) {
  const { run, query, filter, by, keys, split, zoom, step, curve, val, marks, toStep, setZoom } = overview;
  const { data } = curve;
  const isEmpty = data === undefined || data.step.length === 0;
  if (isEmpty && data !== undefined && data.training.step.length > 0) return null;
  const legend = (kind: string, text: string) => (
    <span class="legend">
      <i class={kind} />
      {text}
    </span>
  );
  const end = (
    <>
      {zoom !== undefined && (
        <button type="button" class="button" onClick={() => setZoom(undefined)}>
          All steps
        </button>
      )}
      <Download
        ask={{ path: "/runs/{run_id}/curve.csv", params: { run_id: run }, query: { split, by, ...zoom }, filter }}
        text="Download CSV"
        title={`Download CSV: the curve of ${split}`}
      />
      {legend("", `${split}, mean`)}
      {val !== undefined && legend("dash", "val")}
      {legend("cell", "share of attempts")}
      {keys !== undefined && keys.metadata.length > 0 && <Choice name="by" query={query} options={optionsOf(keys)} />}
    </>
  );
  return (
    <Card id="reward" title="Reward" end={end}>
      <p class="filters legends">
        {Object.keys(filter).length > 0 && (
          <>
            Only attempts with {writeLine(filter)}{" "}
            <button
              type="button"
              class="button"
              onClick={() => change(Object.fromEntries(Object.keys(filter).map((name) => [name, undefined])))}
            >
              All attempts
            </button>
          </>
        )}
        {data?.by?.map(({ of, value, attempts }, place) => (
          <a
            key={`${of} ${value}`}
            class="legend"
            href={hrefOf(["runs", run, "rollouts"], { ...filter, split, ...partOf(by, of, value) })}
          >
            <i class={`by${place}`} />
            {partText(of, value)} <span class="quiet">{count(attempts)}</span>
          </a>
        ))}
      </p>
      {isEmpty ? (
        <p class="empty tall">{curve.error?.message ?? (data !== undefined && emptyText(overview))}</p>
      ) : (
        <RewardChart
          places={data.step}
          lines={linesOf(split, data, val)}
          bands={marks?.split === split ? marks.data : []}
          {...{ range: data.range, train: data, current: step, onStep: toStep, onZoom: setZoom }}
        />
      )}
    </Card>
  );
}

/** The line of a split, that of val with a dot for each of few values, and those of the values of a key of metadata. */
function linesOf(split: string, curve: Curve, val: Curve | undefined): ChartLine[] {
  const line = { name: split, class: "", values: curve.mean, hasDot: () => false };
  const means = new Map(val?.step.map((step, at) => [step, val.mean[at] ?? null]));
  const values = curve.step.map((step) => means.get(step) ?? null);
  const parts = curve.by?.map(({ of, value, mean }, place) => ({
    name: partText(of, value),
    class: `by${place}`,
    values: mean,
    hasDot: () => mean.length <= 60,
  }));
  return [
    line,
    ...(val ? [{ name: "val", class: "val", values, hasDot: () => values.length <= 200 }] : []),
    ...(parts ?? []),
  ];
}

function emptyText({ zoom, filter }: Overview): string {
  if (Object.keys(filter).length > 0) return "No rollout matches the filter";
  return zoom === undefined ? "No rollouts yet" : "No rollouts at these steps";
}

/** The condition of the attempts of one line of a curve; the others together have no condition of one name. */
function partOf(by: string | undefined, of: string, value: string): Query {
  return of === "others" ? {} : { [`metadata.${by}`]: of === "none" ? "!.." : exactly(value) };
}

/** Each key of metadata that the reward can be told apart by, with the number of its values. */
function optionsOf(keys: RunKeys): Options {
  const counts = keys.metadata.map(({ name, values, more }) => [name, `${values}${more ? "+" : ""}`] as const);
  return [
    ["", "all together"],
    ...counts.map(([name, n]) => [name, `${name} (${n} value${n === "1" ? "" : "s"})`] as const),
  ];
}

/** Six figures by step, and one of the others. */
function Minis({ overview: { curve, step, jobs } }: { readonly overview: Overview }) {
  const [chosen, setOther] = useState("");
  if (curve.data === undefined) return <Waiting height={206} />;
  const { shown, others } = figuresOf(curve.data, step, referenceOf(jobs?.data[0]));
  const other = others.find(({ label }) => label === chosen) ?? others[0];
  return (
    <>
      {shown.length > 0 && (
        <section class="minis card" aria-label="Figures by step">
          {shown.map((figure) => (
            <Figure key={figure.label} {...figure} />
          ))}
        </section>
      )}
      {others.length > 0 && (
        <section class="minis card" aria-label="Another metric by step">
          <label class="mini">
            Other metrics{" "}
            <select value={other?.label} onChange={(event) => setOther(event.currentTarget.value)}>
              {others.map(({ label }) => (
                <option key={label}>{label}</option>
              ))}
            </select>
          </label>
          {other && <Figure {...other} />}
        </section>
      )}
    </>
  );
}

/** What the KL of a job is measured to, if its trainer reported its settings. */
function referenceOf(job: JobSummary | undefined): string | undefined {
  const [step, lag] = ["kl_penalty_reference_step", "kl_penalty_step_lag"].map((name) => job?.settings[name]?.value);
  return typeof lag === "number" ? `${lag} steps before` : typeof step === "number" ? `step ${step}` : undefined;
}
