/** @jsxImportSource preact */
import type { GroupDetail } from "@trainyard/local";
import { useState } from "preact/hooks";
import { useRead } from "../api/use-read.ts";
import { AttemptColumn } from "../parts/attempt-column.tsx";
import { commonTurns, list, record, turnsOf } from "../parts/content.ts";
import { Frame } from "../parts/frame.tsx";
import { crumbsOf, type RunPageProps } from "../parts/run-page.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { change, go, hrefOf } from "../state/address.ts";
import { GroupChoices, GroupHead, GroupTask } from "./group-parts.tsx";

export interface GroupPageProps extends RunPageProps {
  readonly group: string;
}

/** Shows why attempts got their rewards: the attempts of one group side by side. */
export function GroupPage({ run, group, detail, query }: GroupPageProps) {
  const { data, error } = useRead(
    { path: "/runs/{run_id}/groups/{group_id}", params: { run_id: run, group_id: group } },
    run,
  );
  const isSurprise = query.get("text") !== "plain";
  const [areCallsOpen, openCalls] = useState(false);
  if (error !== undefined) return <Failed error={error} what="Group" />;
  const order = data === undefined ? [] : orderOf(data);
  const shown = shownOf(query.get("show"), order);
  const show = (places: readonly number[]) => change({ show: places.map((place) => place + 1).join(",") });
  const toggle = (place: number) => {
    const next = order.filter((one) => shown.includes(one) !== (one === place));
    if (next.length > 0) show(next);
  };
  const same = data?.same_task ?? [];
  const at = same.findIndex(({ id }) => id === data?.summary.id);
  const to = (id: string | null | undefined) =>
    id != null && go(hrefOf(["runs", run, "groups", id], { text: query.get("text") ?? undefined }));
  const keys = [
    {
      keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
      shown: ["1", "–", "9"],
      what: "show or hide attempt",
      run: ({ key }: KeyboardEvent) => {
        const place = order[Number(key) - 1];
        if (place !== undefined) toggle(place);
      },
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
      run: () => show([...new Set([order[0] ?? 0, worstOf(data, order)])]),
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
  const trajectories = list(data.group["trajectories"]);
  const exceptions = list(data.group["exceptions"]).map(record);
  const conversations = trajectories.map(turnsOf);
  const common = commonTurns(conversations);
  const callers = data.attempts.filter(({ tool_calls: calls }) => calls > 0).length;
  return (
    <Frame title={`${name} at step ${step}`} crumbs={crumbs} keys={keys}>
      <GroupHead data={data} onGroup={to} />
      <GroupTask run={run} data={data} range={range} turns={conversations[0]?.slice(0, common) ?? []} />
      <GroupChoices data={data} range={range} isSurprise={isSurprise} {...{ order, shown, toggle }} />
      <div class="side" tabIndex={0} role="region" aria-label="Attempts side by side">
        {shown.map((place) => {
          const one = data.attempts[place];
          if (one === undefined) return null;
          return (
            <AttemptColumn
              key={place}
              attempt={one}
              turns={conversations[place]?.slice(common) ?? []}
              trajectory={record(trajectories[place])}
              exception={exceptions[place - conversations.length]}
              range={range}
              isSurprise={isSurprise}
              areCallsOpen={areCallsOpen}
              callers={callers}
              attempts={data.summary.attempts}
            />
          );
        })}
      </div>
    </Frame>
  );
}

/** The indices of the attempts, best first; exceptions last. */
function orderOf({ attempts }: GroupDetail): number[] {
  return attempts
    .toSorted((a, b) => (b.reward ?? -Infinity) - (a.reward ?? -Infinity) || a.place - b.place)
    .map(({ place }) => place);
}

function worstOf(data: GroupDetail | undefined, order: readonly number[]): number {
  return order.findLast((place) => data?.attempts[place]?.reward !== null) ?? 0;
}

/** The attempts in the address, or by default the best, a middle one, the worst and an exception. */
function shownOf(selected: string | null, order: readonly number[]): number[] {
  const wanted = new Set((selected ?? "").split(",").map((one) => Number(one) - 1));
  const found = order.filter((place) => wanted.has(place));
  if (found.length > 0) return found;
  if (order.length <= 4) return [...order];
  const picks = [0, 1 / 3, 2 / 3, 1].map((part) => order[Math.round(part * (order.length - 1))] ?? 0);
  return [...new Set(picks)];
}
