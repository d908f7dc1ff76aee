/** @jsxImportSource preact */
import type { Flag } from "@trainyard/local";
import type { JSX } from "preact";
import { useRead } from "../api/use-read.ts";
import { count } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { anyOf, Choice } from "../parts/choice.tsx";
import { flagOptions } from "../parts/flags.tsx";
import { Frame } from "../parts/frame.tsx";
import { GroupLines } from "../parts/group-lines.tsx";
import { RunHead } from "../parts/run-head.tsx";
import { Failed } from "../parts/states.tsx";
import { Scale } from "../parts/strip.tsx";
import { change, go, hrefOf } from "../state/address.ts";

const sorts = {
  flagged: "flagged first",
  place: "as logged",
  mean: "lowest mean",
  "-mean": "highest mean",
  "-sd": "widest spread",
};
type Sort = keyof typeof sorts;

/** All groups of a run, by step, task and flag. */
export function GroupsPage({ run, query }: { readonly run: string; readonly query: URLSearchParams }): JSX.Element {
  const params = { run_id: run };
  const detail = useRead({ path: "/runs/{run_id}", params }, run);
  const [step, split, task, flag] = ["step", "split", "task", "flag"].map((name) => query.get(name) ?? "");
  const sort: Sort = query.get("sort") === null ? "flagged" : (query.get("sort") as Sort);
  const groups = useRead(
    {
      path: "/runs/{run_id}/groups",
      params,
      query: {
        sort,
        limit: 200,
        ...(step && { step: Number(step) }),
        ...(split && { split }),
        ...(task && { task }),
        ...(flag && { flag: flag as Exclude<Flag, number> & "single" }),
      },
    },
    run,
  );
  const lines = groups.data?.data ?? [];
  const { at, keys } = useCursor(lines.length, "group", (place) => {
    const group = lines[place];
    if (group !== undefined) go(hrefOf(["runs", run, "groups", group.id]));
  });
  if (detail.error !== undefined) return <Failed error={detail.error} what="Run" />;
  const { data } = detail;
  const back = { keys: ["Escape"], shown: ["Esc"], what: "back to the run", run: () => go(hrefOf(["runs", run])) };
  return (
    <Frame
      title={`Groups of ${data?.run.name ?? "a run"}`}
      crumbs={
        data
          ? [
              { text: data.run.name, href: hrefOf(["runs", run]) },
              { text: "Groups", href: hrefOf(["runs", run, "groups"]) },
            ]
          : []
      }
      keys={[...keys, back]}
      isSlow={groups.isSlow}
    >
      {data !== undefined && <RunHead detail={data} tab="groups" />}
      <div class="filters">
        <label>
          step{" "}
          <input
            inputMode="numeric"
            size={5}
            value={step}
            onChange={(event) => change({ step: event.currentTarget.value.replaceAll(/\D/g, "") })}
          />
        </label>
        <Choice
          label="split"
          value={split}
          options={anyOf(data?.splits ?? [])}
          choose={(chosen) => change({ split: chosen })}
        />
        <Choice label="noticed" value={flag} options={flagOptions} choose={(chosen) => change({ flag: chosen })} />
        <Choice
          label="order"
          value={sort}
          options={Object.entries(sorts)}
          choose={(chosen) => change({ sort: chosen })}
        />
        {task !== "" && (
          <button type="button" class="chip" onClick={() => change({ task: undefined })}>
            task {task} <span class="visually-hidden">: remove</span>
            <span aria-hidden="true">×</span>
          </button>
        )}
        <span class="total" role="status">
          {groups.data === undefined ? "" : `${count(groups.data.total)} groups`}
        </span>
      </div>
      <section class="card" aria-label="Groups">
        {lines.length > 0 && data !== undefined && (
          <GroupLines run={run} groups={lines} range={data.range} at={at} withStep />
        )}
        {groups.data !== undefined && lines.length === 0 && <p class="empty">No group matches the filter.</p>}
        {data !== undefined && (
          <p class="foot">
            <Scale range={data.range} />
            {groups.data?.has_more === true && <span>Only the first 200 are shown. Choose a step to see others.</span>}
          </p>
        )}
      </section>
    </Frame>
  );
}
