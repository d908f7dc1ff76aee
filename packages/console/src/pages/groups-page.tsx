/** @jsxImportSource preact */
import type { RunsGroupsListQuery } from "@trainyard/local";
import { useRead } from "../api/use-read.ts";
import { count } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { Chip, Choice, Field, filterOf } from "../parts/filters.tsx";
import { flagOptions } from "../parts/flags.tsx";
import { GroupLines } from "../parts/group-lines.tsx";
import { RunPage, type RunPageProps } from "../parts/run-page.tsx";
import { Scale } from "../parts/strip.tsx";

const sorts = {
  flagged: "flagged first",
  place: "as logged",
  mean: "lowest mean",
  "-mean": "highest mean",
  "-sd": "widest spread",
};

/** All groups of a run, by step, task and flag. */
export function GroupsPage({ run, detail, query }: RunPageProps) {
  const { split, task, flag } = filterOf(query);
  const step = /^\d+$/.test(query.get("step") ?? "") ? Number(query.get("step")) : undefined;
  const sort = (query.get("sort") ?? "flagged") as NonNullable<RunsGroupsListQuery["sort"]>;
  const groups = useRead(
    { path: "/runs/{run_id}/groups", params: { run_id: run }, query: { sort, limit: 200, step, split, task, flag } },
    run,
  );
  const lines = groups.data?.data ?? [];
  const { at, keys } = useCursor(lines.length, "group");
  return (
    <RunPage run={run} detail={detail} tab="Groups" keys={keys}>
      <div class="filters">
        <Field name="step" size={5} query={query} />
        <Choice name="split" options={detail?.splits ?? []} query={query} />
        <Choice name="flag" label="noticed" options={flagOptions} query={query} />
        <Choice name="sort" label="order" options={sorts} query={query} />
        {task !== undefined && <Chip name="task" text={`task ${task}`} />}
        <span class="total" role="status">
          {groups.data !== undefined && `${count(groups.data.total)} groups`}
        </span>
      </div>
      <section class="card" aria-label="Groups">
        {lines.length > 0 && detail !== undefined && (
          <GroupLines run={run} groups={lines} range={detail.range} at={at} withStep />
        )}
        {groups.data !== undefined && lines.length === 0 && <p class="empty">No group matches the filter.</p>}
        {detail !== undefined && (
          <p class="foot">
            <Scale range={detail.range} />
            {groups.data?.has_more === true && <span>Only the first 200 are shown. Choose a step to see others.</span>}
          </p>
        )}
      </section>
    </RunPage>
  );
}
