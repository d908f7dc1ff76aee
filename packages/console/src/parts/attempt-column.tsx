/** @jsxImportSource preact */
import type { Attempt } from "@trainyard/local";
import { advantage, count, reward, small } from "../format/format.ts";
import type { Range } from "../format/reward-scale.ts";
import { PairList, type Pairs } from "./card.tsx";
import { list, text, turnsOf, type Turn } from "./content.ts";
import { Conversation } from "./conversation.tsx";
import { Flags } from "./flags.tsx";
import { Icon } from "./icons.tsx";
import { Fold, LongText } from "./message-text.tsx";
import { Reward } from "./strip.tsx";

export interface AttemptColumnProps {
  readonly attempt: Attempt;
  /** Its conversation, without the part that all attempts share. */
  readonly turns: readonly Turn[];
  /** The trajectory as it was logged. */
  readonly trajectory: Readonly<Record<string, unknown>>;
  readonly exception?: Readonly<Record<string, unknown>> | undefined;
  readonly range: Range;
  readonly isSurprise: boolean;
  readonly areCallsOpen: boolean;
  /** How many attempts of the group called a tool, and how many attempts there are. */
  readonly callers: number;
  readonly attempts: number;
}

/** One attempt: its reward and metrics, then its conversation. */
export function AttemptColumn(props: AttemptColumnProps) {
  const { attempt, turns, trajectory, exception, range, isSurprise, areCallsOpen, callers, attempts } = props;
  const name = `attempt-${attempt.place}`;
  const isFlagged = attempt.flags.includes("no-tool");
  const helpers = list(trajectory["additional_histories"]);
  const logs = list(trajectory["logs"]).map(text);
  return (
    <article class="card roll" aria-labelledby={name}>
      <header>
        <h2 id={name}>Attempt {attempt.place + 1}</h2>
        <span
          class="quiet"
          title="Advantage: how far the reward is above the group's mean, in standard deviations of the group"
        >
          {attempt.reward === null ? "no reward" : advantage(attempt.advantage)}
        </span>
        <Reward value={attempt.reward} range={range} missing="exception" />
      </header>
      {attempt.reward !== null && <Metrics attempt={attempt} />}
      {isFlagged && (
        <p class="why warn">
          <Icon name="warning" />
          <span>
            Rewarded {reward(attempt.reward)} without a tool call. {callers} of {attempts} attempts called one.
          </span>
        </p>
      )}
      {attempt.exception !== null && (
        <>
          <p class="why bad">
            <Icon name="failure" />
            <span>This attempt has no trajectory, so nothing is learned from it.</span>
          </p>
          <div class="turns">
            <p>
              <b>{attempt.exception}</b>: <LongText text={text(exception?.["message"])} />
            </p>
            {text(exception?.["traceback"]) !== "" && (
              <>
                <div class="who">Traceback</div>
                <div class="call">
                  <div class="pre">
                    <LongText text={text(exception?.["traceback"])} />
                  </div>
                </div>
              </>
            )}
          </div>
        </>
      )}
      {attempt.reward !== null && turns.length === 0 && (
        <p class="empty">This attempt has no messages beyond the shared ones.</p>
      )}
      <Conversation turns={turns} isSurprise={isSurprise} areCallsOpen={areCallsOpen} isFlagged={isFlagged} />
      {callers > 0 && attempt.tool_calls === 0 && attempt.reward !== null && (
        <p class="call miss">No tool was called.</p>
      )}
      {helpers.map((helper, at) => (
        <details key={at} class="call helper">
          <summary>further conversation {at + 1}</summary>
          <Conversation turns={turnsOf(helper)} isSurprise={isSurprise} areCallsOpen={areCallsOpen} />
        </details>
      ))}
      {logs.length > 0 && (
        <Fold class="helper" title={`${logs.length} lines of its log`}>
          <LongText text={logs.join("\n")} />
        </Fold>
      )}
    </article>
  );
}

function Metrics({ attempt }: { readonly attempt: Attempt }) {
  const rest = attempt.flags.filter((flag) => flag !== "no-tool");
  const measured = Object.entries(attempt.metrics).map(([name, value]): Pairs[number] => {
    if (value < 0 || value > 1) return [name, small(value)];
    const gauge = (
      <span class="gauge" aria-hidden="true">
        <i style={{ width: `${value * 100}%` }} />
      </span>
    );
    return [name, [gauge, reward(value)]];
  });
  const pairs: Pairs = [
    ...measured,
    ["tokens", count(attempt.tokens)],
    ["tool calls", count(attempt.tool_calls)],
    ...(rest.some((flag) => flag !== "trained") ? [["noticed", <Flags flags={rest} />] as const] : []),
  ];
  return <PairList class="metrics" pairs={pairs} />;
}
