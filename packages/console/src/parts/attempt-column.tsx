/** @jsxImportSource preact */
import type { Attempt } from "@trainyard/local";
import type { GroupDetail, RewardRange } from "../api/answers.ts";
import { advantage, count, counted, reward, small } from "../format/format.ts";
import { PairList, type Pairs } from "./card.tsx";
import { metadataOf, originOf } from "./described.tsx";
import { list, record, text, turnsOf, type Turn } from "./content.ts";
import { Conversation } from "./conversation.tsx";
import { Flags } from "./flags.tsx";
import { Icon } from "./icons.tsx";
import { Fold, LongText } from "./message-text.tsx";
import { Reward } from "./strip.tsx";

export interface AttemptColumnProps {
  readonly run: string;
  readonly data: GroupDetail;
  readonly attempt: Attempt;
  /** Its conversation, without the part that all attempts share. */
  readonly turns: readonly Turn[];
  readonly range: RewardRange;
  readonly isSurprise: boolean;
  readonly areCallsOpen: boolean;
}

/** One attempt: its reward and metrics, then its conversation. */
export function AttemptColumn({ run, data, attempt, turns, range, isSurprise, areCallsOpen }: AttemptColumnProps) {
  const name = `attempt-${attempt.place}`;
  const trajectories = list(data.group["trajectories"]);
  const trajectory = record(trajectories[attempt.place]);
  const exception = record(list(data.group["exceptions"])[attempt.place - trajectories.length]);
  const helpers = list(trajectory["additional_histories"]);
  const logs = list(trajectory["logs"]).map(text);
  const traceback = text(exception["traceback"]);
  return (
    <article class="card roll" aria-labelledby={name}>
      <header>
        <h2 id={name}>Attempt {attempt.place + 1}</h2>
        <span
          class="quiet"
          title={
            data.advantages.job === null
              ? "Advantage, as by default: how far the reward is above the group's mean, in standard deviations of the group"
              : "Advantage, as the job of this group trained it"
          }
        >
          {attempt.reward === null ? "no reward" : advantage(attempt.advantage)}
        </span>
        <Reward value={attempt.reward} range={range} missing="exception" />
      </header>
      {attempt.reward !== null && <Metrics run={run} attempt={attempt} />}
      {attempt.exception !== null && (
        <>
          <p class="why bad">
            <Icon name="failure" />
            <span>This attempt has no trajectory, so nothing is learned from it.</span>
          </p>
          <div class="turns">
            <p>
              <b>{attempt.exception}</b>: <LongText text={text(exception["message"])} />
            </p>
            {traceback !== "" && (
              <>
                <div class="who">Traceback</div>
                <div class="call pre">
                  <LongText text={traceback} />
                </div>
              </>
            )}
          </div>
        </>
      )}
      {attempt.reward !== null && turns.length === 0 && (
        <p class="empty">This attempt has no messages beyond the shared ones.</p>
      )}
      <Conversation turns={turns} isSurprise={isSurprise} areCallsOpen={areCallsOpen} />
      {helpers.map((helper, at) => (
        <details key={at} class="call helper">
          <summary>further conversation {at + 1}</summary>
          <Conversation turns={turnsOf(helper)} isSurprise={isSurprise} areCallsOpen={areCallsOpen} />
        </details>
      ))}
      {logs.length > 0 && (
        <Fold class="helper" title={counted(logs.length, "log line")}>
          <LongText text={logs.join("\n")} />
        </Fold>
      )}
    </article>
  );
}

function Metrics({ run, attempt }: Pick<AttemptColumnProps, "run" | "attempt">) {
  const gauge = (value: number) => (
    <span class="gauge" aria-hidden="true">
      <i style={{ width: `${value * 100}%` }} />
    </span>
  );
  const pairs: Pairs = [
    ...Object.entries(attempt.metrics).map(([name, value]): Pairs[number] =>
      value < 0 || value > 1 ? [name, small(value)] : [name, [gauge(value), reward(value)]],
    ),
    ["tokens", count(attempt.tokens)],
    ["tool calls", count(attempt.tool_calls)],
    ...originOf(attempt),
    ...metadataOf(run, attempt.metadata),
    ...(attempt.flags.some((flag) => flag !== "trained")
      ? [["noticed", <Flags flags={attempt.flags} />] as const]
      : []),
  ];
  return <PairList class="metrics" pairs={pairs} />;
}
