/** @jsxImportSource preact */
import { useRead } from "../api/use-read.ts";
import { TaskChart } from "../charts/small-chart.tsx";
import { Table } from "../charts/table.tsx";
import { count, reward, share } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { Card, Facts } from "../parts/card.tsx";
import { Choice, named } from "../parts/filters.tsx";
import { RunPage, type RunPageProps } from "../parts/run-page.tsx";
import { Scale, Strip } from "../parts/strip.tsx";
import { hrefOf } from "../state/address.ts";
import { withError } from "./compare-parts.tsx";

/** One task over the steps. */
export function TaskPage({ run, detail, query, task }: RunPageProps & { readonly task: string }) {
  const { at: _at, ...ask } = Object.fromEntries(query);
  const { data, error } = useRead(
    { path: "/runs/{run_id}/tasks/{task}", params: { run_id: run, task }, query: ask },
    run,
  );
  const values = data?.values ?? [];
  const newest = values.toReversed();
  const { at, keys } = useCursor(values.length, "step");
  const compare = (from: number, to: number) =>
    hrefOf(["compare"], { runs: `${run}@${from},${run}@${to}`, split: data?.split });
  // By default, the best step before.
  const [from, to] = [data?.from ?? data?.summary.before?.step ?? values[0]?.step ?? 0, data?.to ?? 0];
  const ends = new URLSearchParams({ from: String(from), to: String(to) });
  const steps = (end: number) =>
    named([...new Set([...values.map(({ step }) => step), end])].toSorted((a, b) => a - b).map(String));
  return (
    <RunPage run={run} detail={detail} tab="Tasks" keys={keys}>
      <div class="head">
        <div>
          <h2 class="said">{data?.summary.name ?? task}</h2>
          {error !== undefined && <p role="status">{error.message}</p>}
          {data !== undefined && (
            <Facts
              facts={[
                ["split", data.split],
                ["groups", count(data.summary.groups)],
                ["attempts", count(data.summary.attempts)],
                ["exceptions", count(data.summary.exceptions)],
                ["without signal", share(data.summary.flat_share)],
                [
                  `since ${data.from === null ? "the best step, " : ""}step ${from}`,
                  withError(data.summary.now?.change ?? null, data.summary.now?.error ?? null),
                ],
              ]}
            />
          )}
        </div>
        {data !== undefined && values.length > 1 && (
          <div class="filters">
            <Choice name="from" options={steps(from)} query={ends} />
            <Choice name="to" options={steps(to)} query={ends} />
            <a class="button" href={compare(from, to)}>
              Compare step {from} and step {to}
            </a>
          </div>
        )}
      </div>
      {values.length > 0 && detail !== undefined && (
        <div class="stack">
          <Card id="over" title="Reward by step" end={<Scale range={detail.range} />}>
            <TaskChart run={run} values={values} range={detail.range} at={values.length - 1} />
          </Card>
          <Card id="values" title="Groups by step">
            <Table
              label="Groups by step, newest first"
              columns={["Step", "Rewards", "Mean", "Change", "Attempts", "Compare"]}
              isNumber={(column) => column > 1 && column < 5}
              at={at}
              rows={newest.map((value, place) => {
                const before = newest[place + 1];
                return [
                  <a href={hrefOf(["runs", run, "groups", value.id])}>step {value.step}</a>,
                  <Strip {...value} range={detail.range} />,
                  reward(value.mean),
                  <span class={Math.abs(value.change ?? 0) <= (value.error ?? 0) ? "quiet" : ""}>
                    {withError(value.change, value.error)}
                  </span>,
                  count(value.attempts),
                  before && <a href={compare(before.step, value.step)}>with step {before.step}</a>,
                ];
              })}
            />
          </Card>
        </div>
      )}
    </RunPage>
  );
}
