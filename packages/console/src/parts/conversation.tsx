/** @jsxImportSource preact */
import { counted } from "../format/format.ts";
import { plainText, type Turn } from "./content.ts";
import { Fold, LongText, Parts, Surprise } from "./message-text.tsx";
import { alignTokens } from "./surprise.ts";

export interface ConversationProps {
  readonly turns: readonly Turn[];
  readonly isSurprise: boolean;
  /** Whether all tool calls are open. */
  readonly areCallsOpen: boolean;
}

const endings = new Map([
  ["length", "cut off"],
  ["content_filter", "filtered"],
]);

/** A conversation: messages as text, each tool call folded with its result. */
export function Conversation({ turns, isSurprise, areCallsOpen }: ConversationProps) {
  const results = new Map(turns.map((turn) => [turn.answers, turn]));
  const called = new Set(turns.flatMap(({ calls }) => calls.map(({ id }) => id)));
  const last = turns.findLastIndex(({ isChoice, parts }) => isChoice && parts.length > 0);
  return (
    <ol class="turns">
      {turns.map(({ role, isChoice, parts, reasoning, calls, answers, tokens, finish }, at) => {
        // The result is shown with its call.
        if (called.has(answers) && answers !== "") return null;
        const isAnswer = at === last;
        const texts = parts.map((part) => (part.kind === "text" ? part.text : ""));
        const aligned = isSurprise && tokens.length > 0 ? alignTokens(tokens, texts.join(""), reasoning) : undefined;
        const name = role === "" ? "Unknown" : role.replace(/^./, (letter) => letter.toUpperCase());
        return (
          <li key={at}>
            {(parts.length > 0 || reasoning !== "" || calls.length === 0) && (
              <>
                <div class="who">
                  {isAnswer ? "Answer" : name}
                  {endings.has(finish) && <span class="tag warn">{endings.get(finish)}</span>}
                </div>
                {reasoning !== "" && (
                  <Fold title="reasoning">
                    {aligned ? <Surprise pieces={aligned.reasoning} /> : <LongText text={reasoning} />}
                  </Fold>
                )}
                <div class={`said ${isAnswer ? "answer" : ""} ${isChoice ? "" : "quiet"}`}>
                  {aligned && parts.every(({ kind }) => kind === "text") ? (
                    <Surprise pieces={aligned.content} />
                  ) : (
                    <Parts parts={parts} />
                  )}
                  {parts.length === 0 && calls.length === 0 && <span class="named">empty</span>}
                </div>
              </>
            )}
            {calls.map((call, place) => {
              const result = call.id === "" ? undefined : results.get(call.id);
              const title = (
                <>
                  <code>{call.name || "unnamed tool"}</code>
                  <span class="quiet">{result === undefined ? "called, not answered" : "called, answered"}</span>
                </>
              );
              return (
                <Fold key={`${String(areCallsOpen)} ${place}`} title={title} isOpen={areCallsOpen}>
                  <LongText text={call.arguments} />
                  {result !== undefined && "\n→ "}
                  {result !== undefined && <LongText text={plainText(result)} />}
                </Fold>
              );
            })}
            {aligned?.differ === true && <p class="why">The logged tokens differ from the text.</p>}
            {aligned !== undefined && aligned.beside.length > 0 && (
              <Fold
                title={`${counted(aligned.beside.length, "token")} that ${aligned.beside.length === 1 ? "is" : "are"} not part of the text`}
              >
                <Surprise pieces={aligned.beside} />
              </Fold>
            )}
          </li>
        );
      })}
    </ol>
  );
}
