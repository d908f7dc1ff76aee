/** @jsxImportSource preact */
import { useRead } from "../api/use-read.ts";
import { count, counted, small } from "../format/format.ts";
import { groupHref, RolloutList } from "../list/rollout-list.tsx";
import { useCursor } from "../list/use-cursor.ts";
import { useRollouts } from "../list/use-rollouts.ts";
import { useSearch } from "../list/use-search.ts";
import { Download } from "../parts/buttons.tsx";
import { Facts } from "../parts/card.tsx";
import { metadataOf, originOf } from "../parts/described.tsx";
import { Choice, sorts, type Options } from "../parts/filters.tsx";
import { Flags } from "../parts/flags.tsx";
import { QueryLine } from "../parts/query-line.tsx";
import { RunPage, type RunPageProps } from "../parts/run-page.tsx";
import { change, go, hrefOf, valuesOf } from "../state/address.ts";

/** The list of attempts, and of those in which a search finds words. The address has the filter. */
export function RolloutsPage({ run, detail, query }: RunPageProps) {
  // An export always has the order in which attempts were logged, and a search finds the newest first.
  const selection = valuesOf(query, ["at", "sort"]);
  const isSearch = query.has("text");
  const listed = useRollouts(run, { sort: query.get("sort") ?? undefined, ...selection }, !isSearch);
  const search = useSearch(run, selection);
  const rollouts = isSearch ? search.rollouts : listed;
  const { data: found } = useRead({ path: "/runs/{run_id}/keys", params: { run_id: run } }, "");
  const { total, error, fresh, again } = rollouts;
  const { at, keys } = useCursor(total ?? 0, "attempt", ["ArrowDown", "ArrowUp"]);
  const row = rollouts.at(at);
  const orders = [...sorts, ...ordersOf(found?.metrics ?? [])];
  const bindings = [
    ...keys,
    { keys: ["l"], what: "show new attempts", run: again },
    {
      keys: ["Escape"],
      what: "close, or back to the run",
      run: () => (at >= 0 ? change({ at: undefined }) : go(hrefOf(["runs", run]))),
    },
  ];
  return (
    <RunPage run={run} detail={detail} tab="Rollouts" keys={bindings}>
      <div class="filters" role="group" aria-label="Filter">
        <QueryLine query={query} keys={found} />
        {!isSearch && <Choice name="sort" label="order" options={orders} query={query} />}
      </div>
      <p class="filters">
        <span class="total" role="status">
          {error === undefined &&
            (isSearch
              ? searchText(search)
              : total !== undefined && `${count(total)} of ${count(detail?.run.rollouts)} attempts`)}
        </span>
        {isSearch && search.end === "" && (
          <>
            <progress aria-label="Searched" value={search.read} max={Math.max(1, search.of)} />
            <button type="button" class="button" onClick={search.stop}>
              Stop
            </button>
          </>
        )}
        {isSearch && search.end !== "" && (
          <button type="button" class="button" onClick={again}>
            Search again
          </button>
        )}
        {total !== undefined && total > 0 && (
          <Download
            ask={{ path: "/runs/{run_id}/rollouts.jsonl", params: { run_id: run }, filter: selection }}
            text="Download JSONL"
            title="Download JSONL: these attempts with their conversations"
          />
        )}
        {fresh > 0 && (
          <button type="button" class="button" onClick={again}>
            {count(fresh)} new
          </button>
        )}
      </p>
      <section class="card" aria-label="Attempts">
        {error !== undefined || (total === 0 && (!isSearch || search.end !== "")) ? (
          <p class="empty">
            {error?.message ??
              (detail?.run.rollouts === 0 ? "No rollouts yet." : "No attempt matches the filter. Remove a part of it.")}
          </p>
        ) : (
          <RolloutList
            {...{ run, rollouts, at }}
            range={detail?.range}
            excerptAt={isSearch ? search.excerptAt : undefined}
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
          <Facts
            facts={[
              ...Object.entries(row.attempt.metrics).map(([name, value]) => [name, small(value)] as const),
              ...originOf(row.attempt),
              ...(row.attempt.log_lines > 0 ? [["log lines", count(row.attempt.log_lines)] as const] : []),
              ...metadataOf(run, row.attempt.metadata),
            ]}
          />
        </section>
      )}
    </RunPage>
  );
}

/** The orders by metrics. */
function ordersOf(metrics: readonly string[]): Options {
  return metrics.flatMap((name): Options => [
    [`-metric.${name}`, `highest ${name}`],
    [`metric.${name}`, `lowest ${name}`],
  ]);
}

/** What a search has found, and where it has looked. */
function searchText({ rollouts, read, of, end }: ReturnType<typeof useSearch>): string {
  const hits = counted(rollouts.total ?? 0, "hit");
  if (end === "whole") return `${hits} in ${count(of)} attempts`;
  const looked = `${count(read)} of ${count(of)} attempts searched, newest first`;
  return end === "full" ? `The newest ${hits}, ${looked}. Use more words or a filter.` : `${hits}, ${looked}`;
}
