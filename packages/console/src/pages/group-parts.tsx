/** @jsxImportSource preact */
import type { Attempt } from "@trainyard/local";
import type { GroupDetail, RewardRange } from "../api/answers.ts";
import { TaskChart } from "../charts/small-chart.tsx";
import { advantage, count, counted, reward, small } from "../format/format.ts";
import { Arrows, CopyLink } from "../parts/buttons.tsx";
import { Card, Facts } from "../parts/card.tsx";
import { list, record, text, type Turn } from "../parts/content.ts";
import { Conversation } from "../parts/conversation.tsx";
import { metadataOf } from "../parts/described.tsx";
import { Flags } from "../parts/flags.tsx";
import { Fold, LongText } from "../parts/message-text.tsx";
import { rewardStyle, Scale } from "../parts/strip.tsx";
import { change, hrefOf } from "../state/address.ts";

/** The name of a group, its figures, and its neighbours. */
export function GroupHead({
  run,
  data,
  onGroup,
}: Pick<GroupTaskProps, "run" | "data"> & { onGroup: (id: string) => void }) {
  const { summary, neighbours, group } = data;
  const logs = list(group["logs"]).map(text);
  const to = (id: string | null) => (id === null ? undefined : () => onGroup(id));
  return (
    <div class="head">
      <div>
        <div class="title">
          <h1>{summary.name}</h1>
          <Flags flags={summary.flags} />
        </div>
        <Facts
          facts={[
            ["step", summary.step],
            ["split", summary.split],
            ["reward", reward(summary.mean) + (summary.attempts > 1 ? ` ± ${reward(summary.sd)}` : "")],
            ["attempts", count(summary.attempts)],
            ["exceptions", count(summary.exceptions)],
            ["advantages", advantagesText(data.advantages)],
            ...(summary.created_at === null
              ? []
              : [["logged", summary.created_at.slice(0, 19).replace("T", " ")] as const]),
            ...Object.entries(summary.metrics).map(([name, value]) => [name, small(value)] as const),
            ...metadataOf(run, summary.metadata),
          ]}
        />
        {logs.length > 0 && (
          <Fold title={`${counted(logs.length, "log line")} of the group`}>
            <LongText text={logs.join("\n")} />
          </Fold>
        )}
      </div>
      <div class="actions">
        <Arrows what="group" before={to(neighbours.before)} after={to(neighbours.after)} />
        <CopyLink />
        <a
          class="button"
          href={`data:application/json,${encodeURIComponent(JSON.stringify(group))}`}
          download={`group-${summary.id}.json`}
        >
          Save JSON
        </a>
      </div>
    </div>
  );
}

/** How the rewards became advantages, in words. */
function advantagesText({ job, settings }: GroupDetail["advantages"]): string {
  if (job === null) return "as by default: (reward − mean) / std";
  const all = Object.entries(settings).map(([name, { value }]) => `${name} ${String(value)}`);
  return `as trained: ${all.join(", ")}`;
}

interface GroupTaskProps {
  readonly run: string;
  readonly data: GroupDetail;
  readonly range: RewardRange;
  readonly turns: readonly Turn[];
}

/** What all attempts of a group share, and the rewards of its task by step. */
export function GroupTask({ run, data, range, turns }: GroupTaskProps) {
  const { group, same_task: sameTask, summary } = data;
  const tools = list(record(list(group["trajectories"])[0])["tools"]).length;
  return (
    <div class="task">
      <Card
        id="prompt"
        title="The same for all"
        class="prompt"
        end={counted(turns.length, "message") + (tools > 0 ? `, ${counted(tools, "tool")}` : "")}
      >
        {turns.length > 0 ? (
          <Conversation turns={turns} isSurprise={false} areCallsOpen={false} />
        ) : (
          <p class="empty">The attempts have no message in common.</p>
        )}
      </Card>
      {sameTask.length > 1 && (
        <Card
          id="over"
          title="This task by step"
          end={<a href={hrefOf(["runs", run, "tasks", summary.task], { split: summary.split })}>All steps</a>}
        >
          <TaskChart run={run} values={sameTask} range={range} at={sameTask.findIndex(({ id }) => id === summary.id)} />
        </Card>
      )}
    </div>
  );
}

interface ChoicesProps extends Pick<GroupTaskProps, "range"> {
  /** The attempts, best first. */
  readonly best: readonly Attempt[];
  readonly shown: readonly Attempt[];
  readonly toggle: (attempt: Attempt) => void;
  readonly isSurprise: boolean;
}

/** Which attempts are shown, and whether the colors of surprise are. */
export function GroupChoices({ range, best, shown, toggle, isSurprise }: ChoicesProps) {
  return (
    <>
      {best.length > 1 && (
        <div class="picks" role="group" aria-label="Attempts to show, best first">
          {best.map((attempt) => {
            const { place, reward: value } = attempt;
            return (
              <button
                key={place}
                type="button"
                aria-pressed={shown.includes(attempt)}
                class={value === null ? "bad" : ""}
                style={value === null ? {} : rewardStyle(value, range)}
                onClick={() => toggle(attempt)}
              >
                <span>
                  <span class="visually-hidden">Attempt {place + 1}: </span>
                  {value === null ? "error" : reward(value)}
                </span>
                <small>{value === null ? "" : advantage(attempt.advantage)}</small>
              </button>
            );
          })}
        </div>
      )}
      <div class="tools">
        <label class="check">
          <input
            type="checkbox"
            checked={isSurprise}
            onChange={() => change({ text: isSurprise ? "plain" : undefined })}
          />
          Surprise
        </label>
        {isSurprise && (
          <span class="surprise">
            The model gave this word
            {[50, 10, 1].map((percent, at) => (
              <span key={percent}>
                <i class={`k${at + 1}`} />
                &lt; {percent} %
              </span>
            ))}
          </span>
        )}
        <Scale range={range} />
      </div>
    </>
  );
}
