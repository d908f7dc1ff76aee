/** @jsxImportSource preact */
import type { JSX } from "preact";

/** Each flag in words, and how it looks. Those that are everyday say nothing beside a group. */
const words: Readonly<Record<string, { readonly text: string; readonly tone: "" | "warn" | "bad" }>> = {
  exception: { text: "exception", tone: "bad" },
  "no-tool": { text: "reward, no tool call", tone: "warn" },
  "same-answer": { text: "same answer", tone: "" },
  cut: { text: "cut off", tone: "warn" },
  stale: { text: "old policy", tone: "" },
  "flat-low": { text: "no signal, too hard", tone: "" },
  "flat-high": { text: "no signal, too easy", tone: "" },
  single: { text: "one attempt", tone: "" },
  trained: { text: "trained on", tone: "" },
  "not-logged": { text: "not logged", tone: "" },
};

/** What a flag is called. */
export function flagText(flag: string): string {
  return words[flag]?.text ?? flag;
}

/** The flags that a filter can ask for. */
export const flagNames: readonly string[] = Object.keys(words);

/** The choice of a flag, with what it is called. */
export const flagOptions: readonly (readonly [flag: string, text: string])[] = [
  ["", "anything"],
  ...Object.entries(words).map(([name, { text }]) => [name, text] as const),
];

export interface FlagsProps {
  readonly flags: readonly string[];
  /** How many attempts ended in an exception, where a group is told of. */
  readonly exceptions?: number | undefined;
  readonly most?: number | undefined;
}

/** The flags as tags, without those that say little: that it was trained on is the rule. */
export function Flags({ flags, exceptions, most = 3 }: FlagsProps): JSX.Element {
  const shown = flags.filter((flag) => flag !== "trained" && !(flag === "single" && flags.length > 2)).slice(0, most);
  return (
    <>
      {shown.map((flag) => {
        const text =
          flag === "exception" && exceptions !== undefined && exceptions > 1
            ? `${exceptions} exceptions`
            : flagText(flag);
        // The title shows the whole text where there is room for its beginning alone.
        return (
          <span key={flag} class={`tag ${words[flag]?.tone ?? ""}`} title={text}>
            {text}
          </span>
        );
      })}
    </>
  );
}
