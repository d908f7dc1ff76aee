/** @jsxImportSource preact */
import type { Run } from "@trainyard/local";
import { useRead } from "../api/use-read.ts";
import { Spark } from "../charts/mini-chart.tsx";
import { extent } from "../charts/scale.ts";
import { ago, count, reward } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { Choice } from "../parts/filters.tsx";
import { Frame } from "../parts/frame.tsx";
import { State, stateText } from "../parts/run-page.tsx";
import { Failed, FirstCode } from "../parts/states.tsx";
import { change, hrefOf } from "../state/address.ts";
import { useNow } from "../state/now.ts";

/** The list of runs: which ones are active, and which became better. */
export function RunsPage({ query }: { readonly query: URLSearchParams }) {
  const q = query.get("q") ?? "";
  const project = query.get("project") ?? "";
  const { data, error } = useRead({ path: "/runs", query: { limit: 100, q, project } });
  const runs = data?.data ?? [];
  const { at, keys } = useCursor(runs.length, "run");
  if (error !== undefined) return <Failed error={error} what="Console" />;
  const projects = [...new Set([...runs.map((run) => run.project), ...(project ? [project] : [])])].toSorted();
  const isFiltered = q !== "" || project !== "";
  return (
    <Frame title="Console" keys={keys}>
      <div class="head">
        <h1>Runs</h1>
        {(isFiltered || runs.length > 0) && (
          <div class="filters">
            <label>
              Find <input type="search" value={q} onInput={(event) => change({ q: event.currentTarget.value })} />
            </label>
            <Choice name="project" options={projects} query={query} />
          </div>
        )}
      </div>
      {data?.data.length === 0 &&
        (isFiltered ? <p class="empty">No run has these words in its name or its project.</p> : <FirstCode />)}
      {runs.length > 0 && (
        <ul class="runs card">
          {runs.map((run, place) => (
            <li key={run.id}>
              <RunLine run={run} isOn={place === at} />
            </li>
          ))}
        </ul>
      )}
      {data?.has_more === true && <p class="empty">Only the newest 100 are shown. Find others by name.</p>}
    </Frame>
  );
}

function RunLine({ run, isOn }: { readonly run: Run; readonly isOn: boolean }) {
  const now = useNow();
  const [first, last] = [run.reward[0], run.reward.at(-1)];
  const [low, high] = extent(run.reward);
  return (
    <a href={hrefOf(["runs", run.id])} class={isOn ? "on" : ""}>
      <span class="name">
        {run.name}
        <small>
          {run.project} · {run.base_model}
        </small>
      </span>
      <State state={run.state} text={stateText(run.state, run.step)} />
      <Spark
        label={last === undefined ? "No rewards yet" : `Mean reward from ${reward(first)} to ${reward(last)}`}
        values={run.reward}
        width={120}
        height={28}
        range={[Math.min(low, 0), Math.max(high, 1)]}
        at={run.reward.length - 1}
      />
      <b class="num">{reward(last)}</b>
      <span class="num quiet wide">{count(run.rollouts)} rollouts</span>
      <span class="num quiet" title={run.last_at ?? ""}>
        {ago(run.last_at ?? run.created_at, now)}
      </span>
    </a>
  );
}
