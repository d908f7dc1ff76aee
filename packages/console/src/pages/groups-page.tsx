/** @jsxImportSource preact */
import type { Flag } from "@trainyard/local";
import { useRead } from "../api/use-read.ts";
import { count } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { Chip } from "../parts/buttons.tsx";
import { anyOf, Choice } from "../parts/choice.tsx";
import { flagOptions } from "../parts/flags.tsx";
import { GroupLines } from "../parts/group-lines.tsx";
import { RunPage } from "../parts/run-page.tsx";
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
export function GroupsPage({ run, query }: { readonly run: string; readonly query: URLSearchParams }) {
  const params = { run_id: run };
  const detail = useRead({ path: "/runs/{run_id}", params }, run);
  const [step = "", split = "", task = "", flag = ""] = ["step", "split", "task", "flag"].map(
    (name) => query.get(name) ?? "",
  );
  const sort = (query.get("sort") ?? "flagged") as Sort;
  const filter = {
    ...(step && { step: Number(step) }),
    ...(split && { split }),
    ...(task && { task }),
    ...(flag && { flag: flag as Exclude<Flag, number> & "single" }),
  };
  const groups = useRead({ path: "/runs/{run_id}/groups", params, query: { sort, limit: 200, ...filter } }, run);
  const lines = groups.data?.data ?? [];
  const { at, keys } = useCursor(lines, "group", ({ id }) => go(hrefOf(["runs", run, "groups", id])));
  const { data } = detail;
  const set = (name: string) => (value: string) => change({ [name]: value });
  return (
    <RunPage run={run} detail={detail} tab="Groups" keys={keys} isSlow={groups.isSlow}>
      <div class="filters">
        <label>
          step{" "}
          <input
            inputMode="numeric"
            size={5}
            value={step}
            onChange={(event) => set("step")(event.currentTarget.value.replaceAll(/\D/g, ""))}
          />
        </label>
        <Choice label="split" value={split} options={anyOf(data?.splits ?? [])} choose={set("split")} />
        <Choice label="noticed" value={flag} options={flagOptions} choose={set("flag")} />
        <Choice label="order" value={sort} options={Object.entries(sorts)} choose={set("sort")} />
        {task !== "" && <Chip name="task" text={`task ${task}`} />}
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
    </RunPage>
  );
}
