/** @jsxImportSource preact */
import type { Attempt } from "@trainyard/local";
import { useState } from "preact/hooks";
import { useRead } from "../api/use-read.ts";
import { AttemptColumn } from "../parts/attempt-column.tsx";
import { commonTurns, list, turnsOf } from "../parts/content.ts";
import { Frame } from "../parts/frame.tsx";
import { crumbsOf, type RunPageProps } from "../parts/run-page.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { change, go, hrefOf } from "../state/address.ts";
import { GroupChoices, GroupHead, GroupTask } from "./group-parts.tsx";

/** Shows why attempts got their rewards: the attempts of one group side by side. */
export function GroupPage({ run, group, detail, query }: RunPageProps & { readonly group: string }) {
  const { data, error } = useRead(
    { path: "/runs/{run_id}/groups/{group_id}", params: { run_id: run, group_id: group } },
    run,
  );
  const isSurprise = query.get("text") !== "plain";
  const [areCallsOpen, openCalls] = useState(false);
  if (error !== undefined) return <Failed error={error} what="Group" />;
  const best = data?.attempts.toSorted((a, b) => (b.reward ?? -Infinity) - (a.reward ?? -Infinity)) ?? [];
  const shown = shownOf(query.get("show"), best);
  const show = (some: readonly Attempt[]) =>
    some.length > 0 && change({ show: some.map(({ place }) => place + 1).join(",") });
  const toggle = (one: Attempt | undefined) => show(best.filter((other) => shown.includes(other) !== (other === one)));
  const same = data?.same_task ?? [];
  const at = same.findIndex(({ id }) => id === data?.summary.id);
  const to = (id: string | null | undefined) =>
    id != null && go(hrefOf(["runs", run, "groups", id], { text: query.get("text") ?? undefined }));
  const keys = [
    {
      keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
      shown: ["1", "–", "9"],
      what: "show or hide attempt",
      run: ({ key }: KeyboardEvent) => toggle(best[Number(key) - 1]),
    },
    {
      keys: ["j", "k"],
      what: "previous and next group",
      run: ({ key }: KeyboardEvent) => to(key === "j" ? data?.neighbours.after : data?.neighbours.before),
    },
    {
      keys: ["ArrowLeft", "ArrowRight"],
      what: "same task, previous and next step",
      run: ({ key }: KeyboardEvent) => to(same[at + (key === "ArrowLeft" ? -1 : 1)]?.id),
    },
    {
      keys: ["b"],
      what: "show best and worst",
      run: () => show(best.filter((one, at) => at === 0 || one === best.findLast(({ reward }) => reward !== null))),
    },
    {
      keys: ["p"],
      what: "colors of surprise on or off",
      run: () => change({ text: isSurprise ? "plain" : undefined }),
    },
    { keys: ["o"], what: "open all tool calls", run: () => openCalls(!areCallsOpen) },
    {
      keys: ["Escape"],
      what: "back",
      run: () => (history.length > 1 ? history.back() : go(hrefOf(["runs", run]))),
    },
  ];
  if (data === undefined || detail === undefined) {
    return (
      <Frame title="Group" keys={keys}>
        <Waiting height={600} />
      </Frame>
    );
  }
  const { name, step, split } = data.summary;
  const { range } = detail;
  const crumbs = [
    ...crumbsOf(detail),
    { text: `step ${step}`, href: hrefOf(["runs", run], { step, split }) },
    { text: name, href: hrefOf(["runs", run, "groups", group]) },
  ];
  const conversations = list(data.group["trajectories"]).map(turnsOf);
  const common = commonTurns(conversations);
  return (
    <Frame title={`${name} at step ${step}`} crumbs={crumbs} keys={keys}>
      <GroupHead run={run} data={data} onGroup={to} />
      <GroupTask run={run} data={data} range={range} turns={conversations[0]?.slice(0, common) ?? []} />
      <GroupChoices {...{ range, best, shown, toggle, isSurprise }} />
      <div class="side" tabIndex={0} role="region" aria-label="Attempts side by side">
        {shown.map((attempt) => (
          <AttemptColumn
            key={attempt.place}
            turns={conversations[attempt.place]?.slice(common) ?? []}
            {...{ run, data, attempt, range, isSurprise, areCallsOpen }}
          />
        ))}
      </div>
    </Frame>
  );
}

/** The attempts in the address, or by default the best, a middle one, the worst and an exception. */
function shownOf(selected: string | null, best: readonly Attempt[]): readonly Attempt[] {
  const wanted = new Set(selected?.split(","));
  const found = best.filter(({ place }) => wanted.has(String(place + 1)));
  const last = best.length - 1;
  const picks = new Set([0, 1 / 3, 2 / 3, 1].map((part) => Math.round(part * last)));
  return found.length > 0 ? found : best.filter((_, at) => picks.has(at));
}
