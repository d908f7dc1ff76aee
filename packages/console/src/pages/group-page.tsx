/** @jsxImportSource preact */
import type { GroupDetail } from "@trainyard/local";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../api/use-read.ts";
import { TaskChart } from "../charts/task-chart.tsx";
import { advantage, count, reward } from "../format/format.ts";
import { rewardClass, type Range } from "../format/reward-scale.ts";
import { AttemptColumn } from "../parts/attempt-column.tsx";
import { commonTurns, list, record, turnsOf } from "../parts/content.ts";
import { Conversation } from "../parts/conversation.tsx";
import { Flags } from "../parts/flags.tsx";
import { Frame } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { Scale } from "../parts/strip.tsx";
import { change, go, hrefOf, isPart } from "../state/address.ts";

export interface GroupPageProps {
  readonly run: string;
  readonly group: string;
  readonly query: URLSearchParams;
}

/** Shows why attempts got their rewards: the attempts of one group side by side. */
export function GroupPage({ run, group, query }: GroupPageProps): JSX.Element {
  const detail = useRead({ path: "/runs/{run_id}", params: { run_id: run } }, run);
  const read = useRead({ path: "/runs/{run_id}/groups/{group_id}", params: { run_id: run, group_id: group } }, run);
  const isSurprise = query.get("text") !== "plain";
  const [areCallsOpen, openCalls] = useState(false);
  const error = detail.error ?? read.error;
  if (error !== undefined) return <Failed error={error} what={detail.error === undefined ? "Group" : "Run"} />;
  const { data } = read;
  const name = data?.summary.name ?? "Group";
  const order = data === undefined ? [] : orderOf(data);
  const shown = shownOf(query.get("show"), order);
  const toggle = (place: number) => {
    const next = shown.includes(place) ? shown.filter((one) => one !== place) : [...shown, place];
    if (next.length > 0)
      change({
        show: order
          .filter((one) => next.includes(one))
          .map((one) => one + 1)
          .join(","),
      });
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
      shown: ["j", "k"],
      what: "previous and next group",
      run: ({ key }: KeyboardEvent) => to(key === "j" ? data?.neighbours.after : data?.neighbours.before),
    },
    {
      keys: ["ArrowLeft", "ArrowRight"],
      shown: ["←", "→"],
      what: "same task, previous and next step",
      run: ({ key }: KeyboardEvent) => to(same[at + (key === "ArrowLeft" ? -1 : 1)]?.id),
    },
    {
      keys: ["b"],
      shown: ["b"],
      what: "show best and worst",
      run: () => change({ show: [...new Set([order[0] ?? 0, worstOf(data, order)])].map((one) => one + 1).join(",") }),
    },
    {
      keys: ["p"],
      shown: ["p"],
      what: "colors of surprise on or off",
      run: () => change({ text: isSurprise ? "plain" : undefined }),
    },
    { keys: ["o"], shown: ["o"], what: "open all tool calls", run: () => openCalls(!areCallsOpen) },
    {
      keys: ["Escape"],
      shown: ["Esc"],
      what: "back",
      run: () => (history.length > 1 ? history.back() : go(hrefOf(["runs", run]))),
    },
  ];
  const crumbs =
    detail.data === undefined || data === undefined
      ? []
      : [
          { text: detail.data.run.project, href: hrefOf([], { project: detail.data.run.project }) },
          { text: detail.data.run.name, href: hrefOf(["runs", run]) },
          {
            text: `step ${data.summary.step}`,
            href: hrefOf(["runs", run], { step: data.summary.step, split: data.summary.split }),
          },
          { text: name, href: hrefOf(["runs", run, "groups", group]) },
        ];
  return (
    <Frame
      title={data === undefined ? name : `${name} at step ${data.summary.step}`}
      crumbs={crumbs}
      keys={keys}
      isSlow={read.isSlow}
    >
      {data === undefined || detail.data === undefined ? (
        <Waiting height={600} />
      ) : (
        <GroupBody
          run={run}
          data={data}
          range={detail.data.range}
          order={order}
          shown={shown}
          isSurprise={isSurprise}
          areCallsOpen={areCallsOpen}
          onToggle={toggle}
          onGroup={to}
        />
      )}
    </Frame>
  );
}

interface BodyProps {
  readonly run: string;
  readonly data: GroupDetail;
  readonly range: Range;
  readonly order: readonly number[];
  readonly shown: readonly number[];
  readonly isSurprise: boolean;
  readonly areCallsOpen: boolean;
  readonly onToggle: (place: number) => void;
  readonly onGroup: (id: string | null) => void;
}

function GroupBody({
  run,
  data,
  range,
  order,
  shown,
  isSurprise,
  areCallsOpen,
  onToggle,
  onGroup,
}: BodyProps): JSX.Element {
  const { summary, attempts, group, neighbours, same_task: sameTask } = data;
  const conversations = list(group["trajectories"]).map(turnsOf);
  const common = commonTurns(conversations);
  const tools = list(record(list(group["trajectories"])[0])["tools"]);
  const exceptions = list(group["exceptions"]).map(record);
  const callers = attempts.filter(({ tool_calls: calls }) => calls > 0).length;
  return (
    <>
      <div class="head">
        <div>
          <div class="title">
            <h1>{summary.name}</h1>
            <Flags flags={summary.flags} exceptions={summary.exceptions} most={4} />
          </div>
          <p class="facts">
            <span>
              step <b>{summary.step}</b>
            </span>
            <span>
              split <b>{summary.split}</b>
            </span>
            <span>
              reward{" "}
              <b>
                {reward(summary.mean)}
                {summary.attempts > 1 && ` ± ${reward(summary.sd)}`}
              </b>
            </span>
            <span>
              attempts <b>{count(summary.attempts)}</b>
            </span>
            <span>
              exceptions <b>{count(summary.exceptions)}</b>
            </span>
          </p>
        </div>
        <div class="actions">
          <button
            type="button"
            class="button icon"
            aria-label="Previous group"
            disabled={neighbours.before === null}
            onClick={() => onGroup(neighbours.before)}
          >
            <Icon name="before" size={14} />
          </button>
          <button
            type="button"
            class="button icon"
            aria-label="Next group"
            disabled={neighbours.after === null}
            onClick={() => onGroup(neighbours.after)}
          >
            <Icon name="after" size={14} />
          </button>
          {!isPart() && (
            <button type="button" class="button" onClick={() => void navigator.clipboard.writeText(location.href)}>
              Copy link
            </button>
          )}
          <a
            class="button"
            href={`data:application/json,${encodeURIComponent(JSON.stringify(group))}`}
            download={`group-${summary.id}.json`}
          >
            Save JSON
          </a>
        </div>
      </div>
      <div class="task">
        <section class="card prompt" aria-labelledby="prompt">
          <header>
            <h2 id="prompt">The same for all</h2>
            <div class="end">
              {count(common)} {common === 1 ? "message" : "messages"}
              {tools.length > 0 && `, ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`}
            </div>
          </header>
          {common > 0 ? (
            <Conversation turns={conversations[0]?.slice(0, common) ?? []} isSurprise={false} areCallsOpen={false} />
          ) : (
            <p class="empty">The attempts have no message in common.</p>
          )}
        </section>
        {sameTask.length > 1 && (
          <section class="card" aria-labelledby="over">
            <header>
              <h2 id="over">This task by step</h2>
              <div class="end">mean reward</div>
            </header>
            <TaskChart
              points={sameTask}
              range={range}
              current={summary.id}
              hrefOf={({ id }) => hrefOf(["runs", run, "groups", id])}
            />
          </section>
        )}
      </div>
      {attempts.length > 1 && (
        <div class="picks" role="group" aria-label="Attempts to show, best first">
          {order.map((place) => {
            const one = attempts[place];
            if (one === undefined) return null;
            const isOn = shown.includes(place);
            const isException = one.reward === null;
            return (
              <button
                key={place}
                type="button"
                aria-pressed={isOn}
                class={isException ? "x" : `v${rewardClass(one.reward ?? 0, range)}`}
                onClick={() => onToggle(place)}
              >
                <span>
                  <span class="visually-hidden">Attempt {place + 1}: </span>
                  {isException ? "error" : reward(one.reward)}
                </span>
                <small>{isException ? "" : advantage(one.advantage)}</small>
              </button>
            );
          })}
        </div>
      )}
      <div class="tools">
        <div class="seg" role="group" aria-label="How text is shown">
          <button type="button" aria-pressed={!isSurprise} onClick={() => change({ text: "plain" })}>
            Plain
          </button>
          <button type="button" aria-pressed={isSurprise} onClick={() => change({ text: undefined })}>
            Surprise
          </button>
        </div>
        {isSurprise && (
          <span class="surprise">
            The model gave this word
            <span>
              <i class="k1" />
              &lt; 50 %
            </span>
            <span>
              <i class="k2" />
              &lt; 10 %
            </span>
            <span>
              <i class="k3" />
              &lt; 1 %
            </span>
          </span>
        )}
        <Scale range={range} />
      </div>
      <div class="side" tabIndex={0} role="region" aria-label="Attempts side by side">
        {shown.map((place) => {
          const one = attempts[place];
          if (one === undefined) return null;
          return (
            <AttemptColumn
              key={place}
              attempt={one}
              turns={conversations[place]?.slice(common) ?? []}
              trajectory={record(list(group["trajectories"])[place])}
              exception={exceptions[place - conversations.length]}
              range={range}
              isSurprise={isSurprise}
              areCallsOpen={areCallsOpen}
              callers={callers}
              attempts={summary.attempts}
            />
          );
        })}
      </div>
    </>
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
