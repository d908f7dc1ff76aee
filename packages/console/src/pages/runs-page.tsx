/** @jsxImportSource preact */
import type { Run } from "@trainyard/local";
import { useRead } from "../api/use-read.ts";
import { extent } from "../charts/scale.ts";
import { SmallChart } from "../charts/small-chart.tsx";
import { ago, count, counted, reward } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { Choice, named, type Options } from "../parts/filters.tsx";
import { Frame } from "../parts/frame.tsx";
import { State, stateText } from "../parts/run-page.tsx";
import { Failed, FirstCode } from "../parts/states.tsx";
import { change, go, hrefOf } from "../state/address.ts";
import { useNow } from "../state/now.ts";

const sorts: Options = [
  ["-created", "newest first"],
  ["-best", "highest best"],
  ["best", "lowest best"],
  ["-last", "highest last"],
  ["last", "lowest last"],
];

/** The list of runs: which ones are active, and which became better. */
export function RunsPage({ query }: { readonly query: URLSearchParams }) {
  const q = query.get("q") ?? "";
  const project = query.get("project") ?? "";
  const { at: _at, pick = "", ...ask } = Object.fromEntries(query);
  const { data, error } = useRead({ path: "/runs", query: { limit: 100, ...ask } });
  const runs = data?.data ?? [];
  const { at, keys } = useCursor(runs.length, "run");
  const picked = pick.split(",").filter(Boolean);
  const toggle = (id: string) =>
    change({ pick: (picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id]).join(",") });
  const compare = hrefOf(["compare"], { runs: picked.join(",") });
  const marks = [
    { keys: ["x"], what: "mark the run to compare it", run: () => runs[at] && toggle(runs[at].id) },
    { keys: ["d"], what: "compare the marked runs", run: () => picked.length > 0 && go(compare) },
  ];
  if (error !== undefined) return <Failed error={error} what="Console" />;
  const projects = [...new Set([...runs.map((run) => run.project), ...(project ? [project] : [])])].toSorted();
  const isFiltered = q !== "" || project !== "";
  return (
    <Frame title="Console" keys={[...keys, ...marks]}>
      <div class="head">
        <h1>Runs</h1>
        {(isFiltered || runs.length > 0) && (
          <div class="filters">
            <Choice name="project" options={[["", "all"], ...named(projects)]} query={query} />
            <Choice name="sort" label="order" options={sorts} query={query} />
            {picked.length > 0 && (
              <a class="button" href={compare}>
                Compare {counted(picked.length, "run")}
              </a>
            )}
          </div>
        )}
      </div>
      {data?.data.length === 0 &&
        (isFiltered ? <p class="empty">No run has these words in its name or its project.</p> : <FirstCode />)}
      {runs.length > 0 && (
        <ul class="runs card">
          {runs.map((run, place) => (
            <li key={run.id}>
              <input
                type="checkbox"
                aria-label={`Compare ${run.name}`}
                checked={picked.includes(run.id)}
                onChange={() => toggle(run.id)}
              />
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
  return (
    <a href={hrefOf(["runs", run.id])} class={isOn ? "on" : ""}>
      <span class="name">
        {run.name}
        <small>
          {run.project} · {run.base_model}
        </small>
      </span>
      <State state={run.state} text={stateText(run.state, run.step)} />
      <span class={run.marks > 0 ? "tag warn" : "quiet"}>{counted(run.marks, "mark")}</span>
      <SmallChart
        label={
          run.last === null ? "No rewards yet" : `Mean reward from ${reward(run.reward[0])} to ${reward(run.last)}`
        }
        values={run.reward}
        height={28}
        range={extent([0, 1, ...run.reward])}
        at={run.reward.length - 1}
      />
      <span class="num">
        <small>best</small> {reward(run.best)}
      </span>
      <b class="num">
        <small>last</small> {reward(run.last)}
      </b>
      <span class="num quiet wide">{count(run.rollouts)} rollouts</span>
      <span class="num quiet" title={run.last_at ?? ""}>
        {ago(run.last_at ?? run.created_at, now)}
      </span>
    </a>
  );
}
