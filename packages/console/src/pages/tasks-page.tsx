/** @jsxImportSource preact */
import { useRead } from "../api/use-read.ts";
import { extent } from "../charts/scale.ts";
import { SmallChart } from "../charts/small-chart.tsx";
import { Table } from "../charts/table.tsx";
import { count, reward, share } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { Choice, Field, named, type Options } from "../parts/filters.tsx";
import { RunPage, type RunPageProps } from "../parts/run-page.tsx";
import { hrefOf } from "../state/address.ts";
import { withError } from "./compare-parts.tsx";

const sorts: Options = [
  ["change", "fell most first"],
  ["-change", "rose most first"],
  ["mean", "lowest mean"],
  ["-mean", "highest mean"],
  ["-flat", "most without signal"],
  ["flat", "least without signal"],
  ["-attempts", "most attempts"],
  ["name", "by name"],
];

/** The tasks of a run: which ones changed since a step. */
export function TasksPage({ run, detail, query }: RunPageProps) {
  const { at: _at, ...ask } = Object.fromEntries(query);
  const { data, error } = useRead(
    { path: "/runs/{run_id}/tasks", params: { run_id: run }, query: { limit: 200, ...ask } },
    run,
  );
  const rows = data?.data ?? [];
  const { at, keys } = useCursor(rows.length, "task");
  const { from = null, to = 0, split = "" } = data ?? {};
  const splits = detail?.splits ?? [];
  return (
    <RunPage run={run} detail={detail} tab="Tasks" keys={keys}>
      <div class="filters" role="group" aria-label="Filter">
        <Field name="from" label="change from step" hint="best" size={5} query={query} />
        <Field name="to" label="to step" hint={String(to)} size={5} query={query} />
        <Field name="q" label="name" hint="words" size={10} query={query} />
        <Choice name="split" options={named(splits)} query={query} />
        <Choice name="sort" label="order" options={sorts} query={query} />
        <span class="total" role="status">
          {error?.message ?? (data !== undefined && `${count(data.total)} tasks`)}
        </span>
      </div>
      <section class="card">
        {data !== undefined && rows.length === 0 && (
          <p class="empty">{query.has("q") ? "No task has these words in its name." : "No rollouts yet."}</p>
        )}
        {rows.length > 0 && (
          <Table
            label="Tasks"
            columns={[
              "Task",
              "Change",
              "Trend",
              from === null ? "Best before" : `Step ${from}`,
              `Step ${to}`,
              "Without signal",
              "Attempts",
            ]}
            isNumber={(column) => column === 1 || column > 2}
            at={at}
            rows={rows.map((one) => {
              const { before, now, trend } = one;
              const stepOf = (value: typeof now, step: number | null) =>
                value && value.step !== step ? <small>step {value.step} </small> : null;
              const isNoise = now?.change == null || Math.abs(now.change) <= (now.error ?? 0);
              return [
                <a
                  class="said"
                  href={hrefOf(["runs", run, "tasks", one.task], {
                    split,
                    from: query.get("from") ?? undefined,
                    to: query.get("to") ?? undefined,
                  })}
                >
                  {one.name}
                </a>,
                <span class={isNoise ? "quiet" : ""}>
                  {now?.change != null ? withError(now.change, now.error) : before === null ? "new" : "not seen since"}
                </span>,
                <SmallChart
                  label={`Mean reward from ${reward(trend[0])} to ${reward(trend.at(-1))}`}
                  values={trend}
                  height={24}
                  range={extent([0, 1, ...trend])}
                  at={trend.length - 1}
                />,
                <>
                  {stepOf(before, from)}
                  {reward(before?.mean)}
                </>,
                <>
                  {stepOf(now, to)}
                  {reward(now?.mean)}
                </>,
                share(one.flat_share),
                `${count(one.attempts)}${one.exceptions > 0 ? ` + ${count(one.exceptions)} exceptions` : ""}`,
              ];
            })}
          />
        )}
        {data !== undefined && (
          <p class="foot">
            <span>{data.has_more && "Only the first 200 are shown. Find others by name."}</span>
            {from !== null && from < to && (
              <a href={hrefOf(["compare"], { runs: `${run}@${from},${run}@${to}`, split })}>
                Compare step {from} and step {to}
              </a>
            )}
          </p>
        )}
      </section>
    </RunPage>
  );
}
