/** @jsxImportSource preact */
import type { RunsGroupsListQuery } from "@trainyard/local";
import { useRead } from "../api/use-read.ts";
import { count } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { Chips, Choice, Field, FlagChoice, KeyField } from "../parts/filters.tsx";
import { GroupLines } from "../parts/group-lines.tsx";
import { RunPage, type RunPageProps } from "../parts/run-page.tsx";
import { Scale } from "../parts/strip.tsx";
import { valuesOf } from "../state/address.ts";

const sorts = {
  flagged: "flagged first",
  place: "as logged",
  mean: "lowest mean",
  "-mean": "highest mean",
  "-sd": "widest spread",
};

/** The groups of a run that match the filter in the address. */
export function GroupsPage({ run, detail, query }: RunPageProps) {
  const sort = (query.get("sort") ?? "flagged") as NonNullable<RunsGroupsListQuery["sort"]>;
  const params = { run_id: run };
  const filter = valuesOf(query, ["at", "sort"]);
  const groups = useRead({ path: "/runs/{run_id}/groups", params, query: { sort, limit: 200 }, filter }, run);
  const { data: keys } = useRead({ path: "/runs/{run_id}/keys", params }, "");
  const lines = groups.data?.data ?? [];
  const { at, keys: bindings } = useCursor(lines.length, "group");
  return (
    <RunPage run={run} detail={detail} tab="Groups" keys={bindings}>
      <div class="filters">
        <Field name="step" size={5} query={query} />
        <Choice name="split" options={detail?.splits ?? []} query={query} />
        <Field name="q" label="task" hint="part of its name" size={12} query={query} />
        <FlagChoice />
        <KeyField keys={keys} />
        <Choice name="sort" label="order" options={sorts} query={query} />
        <Chips query={query} without={["step", "split", "q"]} />
        <span class="total" role="status">
          {groups.error?.message ?? (groups.data !== undefined && `${count(groups.data.total)} groups`)}
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
