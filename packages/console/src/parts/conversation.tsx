/** @jsxImportSource preact */
import { plainText, type Call, type Turn } from "./content.ts";
import { Fold, LongText, Parts, Surprise } from "./message-text.tsx";

export interface ConversationProps {
  readonly turns: readonly Turn[];
  readonly isSurprise: boolean;
  /** Whether all tool calls are open; undefined leaves each as it is. */
  readonly areCallsOpen: boolean;
  /** How the answer is colored. */
  readonly isFlagged?: boolean;
}

const names: Readonly<Record<string, string>> = {
  system: "System",
  developer: "Developer",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
  function: "Function",
};

/** A conversation: messages as text, each tool call folded with its result. */
export function Conversation({ turns, isSurprise, areCallsOpen, isFlagged }: ConversationProps) {
  const results = new Map(turns.filter(({ answers }) => answers !== "").map((turn) => [turn.answers, turn]));
  const called = new Set(turns.flatMap(({ calls }) => calls.map(({ id }) => id)));
  const last = turns.findLastIndex(({ isChoice, parts }) => isChoice && parts.length > 0);
  return (
    <ol class="turns">
      {turns.map((turn, at) => {
        // The result is shown with its call.
        if (called.has(turn.answers) && turn.answers !== "") return null;
        const isAnswer = at === last;
        return (
          <li key={at}>
            {(turn.parts.length > 0 || turn.calls.length === 0) && (
              <TurnContent
                turn={turn}
                isAnswer={isAnswer}
                isSurprise={isSurprise}
                isFlagged={isFlagged === true && isAnswer}
              />
            )}
            {turn.calls.map((call, place) => (
              <ToolCall
                key={`${String(areCallsOpen)} ${place}`}
                call={call}
                result={results.get(call.id)}
                isOpen={areCallsOpen}
              />
            ))}
          </li>
        );
      })}
    </ol>
  );
}

interface TurnContentProps extends Pick<ConversationProps, "isSurprise" | "isFlagged"> {
  readonly turn: Turn;
  readonly isAnswer: boolean;
}

function TurnContent({ turn, isAnswer, isSurprise, isFlagged }: TurnContentProps) {
  const name = names[turn.role] ?? (turn.role === "" ? "Unknown" : turn.role);
  return (
    <>
      <div class="who">
        {isAnswer ? "Answer" : name}
        {turn.finish === "length" && <span class="tag warn">cut off</span>}
        {turn.finish === "content_filter" && <span class="tag warn">filtered</span>}
      </div>
      {turn.reasoning !== "" && (
        <Fold title="reasoning">
          <LongText text={turn.reasoning} />
        </Fold>
      )}
      <div class={`said ${isAnswer ? "answer" : ""} ${isFlagged ? "flag" : ""} ${turn.isChoice ? "" : "quiet"}`}>
        {isSurprise && turn.tokens.length > 0 ? <Surprise tokens={turn.tokens} /> : <Parts parts={turn.parts} />}
        {turn.parts.length === 0 && turn.tokens.length === 0 && <span class="named">empty</span>}
      </div>
    </>
  );
}

interface ToolCallProps {
  readonly call: Call;
  readonly result: Turn | undefined;
  readonly isOpen: boolean;
}

function ToolCall({ call, result, isOpen }: ToolCallProps) {
  const title = (
    <>
      <code>{call.name || "unnamed tool"}</code>
      <span class="quiet">{result === undefined ? "called, not answered" : "called, answered"}</span>
    </>
  );
  return (
    <Fold title={title} isOpen={isOpen}>
      <LongText text={call.arguments} />
      {result !== undefined && "\n→ "}
      {result !== undefined && <LongText text={plainText(result)} />}
    </Fold>
  );
}
