/** @jsxImportSource preact */
import { count } from "../format/format.ts";
import { groupHref, RolloutList } from "../list/rollout-list.tsx";
import { useCursor } from "../list/use-cursor.ts";
import { useRollouts } from "../list/use-rollouts.ts";
import { Download } from "../parts/buttons.tsx";
import { Chip, Choice, Field, filterOf, sorts } from "../parts/filters.tsx";
import { Flags, flagOptions, flagText } from "../parts/flags.tsx";
import { RunPage, type RunPageProps } from "../parts/run-page.tsx";
import { change, go, hrefOf } from "../state/address.ts";

/** The list of attempts. The address has the filter. */
export function RolloutsPage({ run, detail, query }: RunPageProps) {
  const filter = filterOf(query);
  // An export always has the order in which attempts were logged.
  const { sort: _sort, ...selection } = filter;
  const rollouts = useRollouts(run, filter);
  const { total, error, fresh, again } = rollouts;
  const { at, keys } = useCursor(total ?? 0, "attempt", ["ArrowDown", "ArrowUp"]);
  const row = rollouts.at(at);
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
        <Field name="step" hint="40..42" query={query} />
        <Field name="reward" hint="0.9.." query={query} />
        <Field name="tokens" hint="400.." query={query} />
        <Field name="tool_calls" label="tool calls" hint="0" size={4} query={query} />
        {detail?.metrics[0] !== undefined && (
          <Field name="metric" hint={`${detail.metrics[0]}:0..0.5`} size={12} query={query} />
        )}
        <Field name="task" size={10} query={query} />
        <Field name="text" label="answer" hint="words" size={10} query={query} />
        {detail !== undefined && detail.splits.length > 1 && (
          <Choice name="split" options={detail.splits} query={query} />
        )}
        <Choice name="flag" label="noticed" options={flagOptions} query={query} />
        <Choice name="sort" label="order" options={sorts} query={query} />
        {[...query]
          .filter(([name]) => name !== "at" && name !== "sort")
          .map(([name, value]) => (
            <Chip key={name} name={name} text={name === "flag" ? flagText(value) : `${name} ${value}`} />
          ))}
      </div>
      <p class="filters">
        <span class="total" role="status">
          {error?.message ?? (total !== undefined && `${count(total)} of ${count(detail?.run.rollouts)} attempts`)}
        </span>
        {total !== undefined && total > 0 && (
          <Download
            ask={{ path: "/runs/{run_id}/rollouts.jsonl", params: { run_id: run }, query: selection }}
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
        {total === 0 ? (
          <p class="empty">
            {detail?.run.rollouts === 0 ? "No rollouts yet." : "No attempt matches the filter. Remove a part of it."}
          </p>
        ) : (
          <RolloutList run={run} rollouts={rollouts} range={detail?.range} at={at} />
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
