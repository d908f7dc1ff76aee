/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useChanges } from "../api/live.ts";
import { read } from "../api/read.ts";
import { useRead } from "../api/use-read.ts";
import { advantage, count } from "../format/format.ts";
import type { Range } from "../format/reward-scale.ts";
import { usePages, type Row } from "../list/use-pages.ts";
import { VirtualList } from "../list/virtual-list.tsx";
import { Download } from "../parts/download.tsx";
import { Flags } from "../parts/flags.tsx";
import { RolloutFilters, filterOf } from "../parts/rollout-filters.tsx";
import { RunPage } from "../parts/run-page.tsx";
import { Reward } from "../parts/strip.tsx";
import { change, go, hrefOf, readAddress } from "../state/address.ts";

const columns = ["step", "task", "reward", "advantage", "tokens", "tools", "last answer"];

/** The list of attempts. The address has the filter. */
export function RolloutsPage({ run, query }: { readonly run: string; readonly query: URLSearchParams }) {
  const params = { run_id: run };
  const detail = useRead({ path: "/runs/{run_id}", params }, run);
  const filter = filterOf(query);
  // An export always has the order in which attempts were logged.
  const { sort: _sort, ...selection } = filter;
  const pages = usePages(JSON.stringify(filter), { path: "/runs/{run_id}/rollouts", params, query: filter });
  const fresh = useFresh(run, filter, pages.total);
  // The address has the selected row, so that the way back leads to it.
  const at = Number(query.get("at") ?? -1);
  const row = at < 0 ? undefined : pages.at(at);
  const { total, at: rowAt } = pages;
  // Keys may arrive faster than the page is drawn, so the address has the current state.
  const here = () => Number(readAddress().query.get("at") ?? -1);
  const move = (by: number) => change({ at: Math.max(0, Math.min(total - 1, here() + by)) });
  const open = (place: number) => {
    const found = rowAt(place);
    if (found !== undefined) go(groupHref(run, found));
  };
  const cells = useCells(run, detail.data?.range);
  const { data } = detail;
  const keys = [
    {
      keys: ["j", "k", "ArrowDown", "ArrowUp"],
      shown: ["j", "k"],
      what: "next and previous attempt",
      run: ({ key }: KeyboardEvent) => move(key === "j" || key === "ArrowDown" ? 1 : -1),
    },
    {
      keys: ["Enter"],
      what: "open its group",
      run: (event: KeyboardEvent) => {
        if (event.target instanceof HTMLElement && event.target.matches("a, button, summary")) event.target.click();
        else open(here());
      },
    },
    { keys: ["l"], what: "show new attempts", run: () => pages.again() },
    {
      keys: ["Escape"],
      what: "close, or back to the run",
      run: () => (at >= 0 ? change({ at: undefined }) : go(hrefOf(["runs", run]))),
    },
  ];
  return (
    <RunPage run={run} detail={detail} tab="Rollouts" keys={keys}>
      <RolloutFilters query={query} splits={data?.splits ?? []} metrics={data?.metrics ?? []} />
      <p class="filters">
        <span class="total" role="status">
          {pages.error !== undefined
            ? pages.error.message
            : pages.isRead
              ? `${count(total)} of ${count(data?.run.rollouts)} attempts`
              : ""}
        </span>
        {total > 0 && (
          <Download
            ask={{ path: "/runs/{run_id}/rollouts.jsonl", params, query: selection }}
            text="Download JSONL"
            title="Download JSONL: these attempts with their conversations"
          />
        )}
        {fresh > 0 && (
          <button type="button" class="button" onClick={() => pages.again()}>
            {count(fresh)} new
          </button>
        )}
      </p>
      <section class="card" aria-label="Attempts">
        {pages.isRead && total === 0 ? (
          <p class="empty">
            {data?.run.rollouts === 0 ? "No rollouts yet." : "No attempt matches the filter. Remove a part of it."}
          </p>
        ) : (
          <VirtualList<Row>
            label="Attempts"
            columns={columns}
            total={total}
            rowHeight={36}
            at={at}
            rowsAt={(from, to) => Array.from({ length: to - from }, (_, offset) => rowAt(from + offset))}
            onView={pages.view}
            onSelect={(place) => change({ at: place })}
            cells={cells}
          />
        )}
      </section>
      {row !== undefined && (
        <section class="card peek" aria-label="The selected attempt" role="status">
          <header>
            <h2>
              {row.name}, step {row.step}, attempt {row.attempt.place + 1}
            </h2>
            <div class="end">
              <Flags flags={row.attempt.flags} />
              <a href={groupHref(run, row)}>Open its group</a>
            </div>
          </header>
          <p class="said">{row.attempt.preview}</p>
        </section>
      )}
    </RunPage>
  );
}

/** The group of an attempt, which shows that attempt. */
function groupHref(run: string, { group, attempt }: Row): string {
  return hrefOf(["runs", run, "groups", group], { show: attempt.place + 1 });
}

/** The cells of a row. While the run's range is unchanged, it is the same function, so that no row is drawn again. */
function useCells(run: string, { low, high }: Range = { low: 0, high: 1 }): (row: Row) => ComponentChildren[] {
  return useCallback(
    (row: Row) => [
      row.step,
      <a key="a" href={groupHref(run, row)} tabIndex={-1}>
        {row.name}
      </a>,
      <Reward key="r" value={row.attempt.reward} range={{ low, high }} missing="error" />,
      advantage(row.attempt.advantage),
      count(row.attempt.tokens),
      count(row.attempt.tool_calls),
      row.attempt.preview,
    ],
    [run, low, high],
  );
}

/** The number of attempts since the list was read; the list itself never jumps. */
function useFresh(run: string, filter: ReturnType<typeof filterOf>, total: number): number {
  const [now, setNow] = useState(0);
  const latest = useRef(filter);
  latest.current = filter;
  useChanges(
    run,
    useCallback(() => {
      read({ path: "/runs/{run_id}/rollouts", params: { run_id: run }, query: { ...latest.current, limit: 1 } }).then(
        (page) => setNow(page.total),
        () => undefined,
      );
    }, [run]),
  );
  useEffect(() => setNow(total), [total]);
  return Math.max(0, now - total);
}
