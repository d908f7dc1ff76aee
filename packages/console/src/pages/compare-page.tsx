/** @jsxImportSource preact */
import type { Comparison } from "../api/answers.ts";
import { useRead } from "../api/use-read.ts";
import { reward } from "../format/format.ts";
import { groupHref } from "../list/rollout-list.tsx";
import { useCursor } from "../list/use-cursor.ts";
import { CopyLink } from "../parts/buttons.tsx";
import { Card } from "../parts/card.tsx";
import { Choice, named } from "../parts/filters.tsx";
import { Frame } from "../parts/frame.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { Reward, Scale } from "../parts/strip.tsx";
import { change, go, hrefOf } from "../state/address.ts";
import { CompareCurves } from "./compare-curves.tsx";
import { Differences, Sentences, TaskTable } from "./compare-parts.tsx";

/** What is compared, with a label for each. */
export interface Compared {
  readonly data: Comparison;
  readonly labels: readonly string[];
  /** Whether all are steps of one run. */
  readonly isOneRun: boolean;
}

const refusals: Readonly<Record<string, string>> = {
  "unknown-run": "no run has this id",
  "unknown-step": "the run has no attempts there",
  repeated: "it is listed twice",
  "too-many": "at most four are compared",
};

/** How many of the newest steps of each run count together. */
const lasts = ["1", "3", "5", "10", "30"].map((n) => [n, n === "1" ? "the last step" : `the last ${n} steps`] as const);

/** Shows what changed between two steps of a run, or between up to four runs, and how sure that is. */
export function ComparePage({ query }: { readonly query: URLSearchParams }) {
  const { at: _at, by: _by, ...ask } = Object.fromEntries(query);
  const runs = ask["runs"] ?? "";
  // Names that the server does not know are sent as well, because it says which ones it knows. A list of no runs is compared, too.
  const { data, error } = useRead({ path: "/compare", query: { ...ask, runs: runs || "," } });
  const { at, keys } = useCursor(data?.tasks.length ?? 0, "task");
  const [first] = data?.items ?? [];
  const back = {
    keys: ["Escape"],
    what: "back",
    run: () => (history.length > 1 ? history.back() : go(hrefOf(first ? ["runs", first.run_id] : []))),
  };
  if (error !== undefined) return <Failed error={error} what="Comparison" />;
  if (data === undefined) {
    return (
      <Frame title="Compare" keys={[...keys, back]}>
        <Waiting height={600} />
      </Frame>
    );
  }
  const { items, refused, worst } = data;
  const isOneRun = items.every(({ run_id: id }) => id === first?.run_id);
  const labels = items.map(({ name, step, from }) => {
    const at = from === step ? `step ${step}` : `steps ${from} to ${step}`;
    return isOneRun ? at : `${name} at ${at}`;
  });
  const compared = { data, labels, isOneRun };
  const splits = [...new Set([data.split, ...data.curves.map((curve) => curve.split), "train"])];
  const shown = new URLSearchParams({ split: data.split, last: ask["last"] ?? "5" });
  const without = (part: string) =>
    runs
      .split(",")
      .filter((one) => one.trim() !== part)
      .join(",");
  const crumbs = isOneRun && first ? [{ text: first.name, href: hrefOf(["runs", first.run_id]) }] : [];
  return (
    <Frame
      title="Compare"
      crumbs={[...crumbs, { text: "Compare", href: hrefOf(["compare"], { runs }) }]}
      keys={[...keys, back]}
    >
      <div class="head">
        <h1>{isOneRun && first ? `Compare steps of ${first.name}` : "Compare runs"}</h1>
        <div class="actions">
          <CopyLink />
        </div>
      </div>
      <div class="filters">
        {items.map(({ run_id: id, step }, place) => (
          <a key={place} class={isOneRun ? "" : `legend line${place}`} href={hrefOf(["runs", id], { step })}>
            {!isOneRun && <i />}
            {labels[place]}
          </a>
        ))}
        <Choice
          name="by"
          options={[
            ["", "by step"],
            ["time", "by time"],
          ]}
          label="curves"
          query={query}
        />
        {!isOneRun && (
          <>
            <Choice name="last" options={lasts} label="attempts of" query={shown} />
            <Choice name="split" options={named(splits)} query={shown} />
          </>
        )}
      </div>
      {refused.map(({ of, why }) => (
        <p key={of} class="notice-line warn" role="status">
          <b>{of}</b> is left out: {refusals[why] ?? why}.{" "}
          <button type="button" class="chip" onClick={() => change({ runs: without(of) })}>
            Remove it
          </button>
        </p>
      ))}
      {items.length < 2 && (
        <p class="notice-line" role="status">
          There is nothing to compare yet. Mark two runs in <a href={hrefOf([])}>Runs</a>, or name two steps of a run in
          the address: <code>?runs=&lt;id&gt;@8,&lt;id&gt;@9</code>
        </p>
      )}
      <div class="stack">
        <Sentences {...compared} />
        {first !== undefined && <CompareCurves {...compared} query={query} />}
        <Differences {...compared} />
        {items.length > 1 && <TaskTable {...compared} at={at} />}
        {worst.length > 0 && (
          <Card id="worst" title="Worst that was better" end={<Scale range={first?.range ?? { low: 0, high: 1 }} />}>
            <ul class="groups worst">
              {worst.map(({ item, before, rollout }) => (
                <li key={`${item} ${rollout.id}`}>
                  <a href={groupHref(items[item]?.run_id ?? "", rollout)}>
                    <span class="name">
                      {rollout.name}
                      <small>{rollout.attempt.preview}</small>
                    </span>
                    <span class="quiet">mean {reward(before)}, now</span>
                    <Reward
                      value={rollout.attempt.reward}
                      range={items[item]?.range ?? { low: 0, high: 1 }}
                      missing="error"
                    />
                  </a>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </Frame>
  );
}
