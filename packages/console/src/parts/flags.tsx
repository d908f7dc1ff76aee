/** @jsxImportSource preact */

/** The text and the tone of each flag. Common flags have no tone. */
const words: Readonly<Record<string, { readonly text: string; readonly tone: "" | "warn" | "bad" }>> = {
  exception: { text: "exception", tone: "bad" },
  "same-answer": { text: "same answer", tone: "" },
  cut: { text: "cut off", tone: "warn" },
  stale: { text: "old policy", tone: "" },
  "flat-low": { text: "no signal, too hard", tone: "" },
  "flat-high": { text: "no signal, too easy", tone: "" },
  single: { text: "one attempt", tone: "" },
  trained: { text: "trained on", tone: "" },
  "not-logged": { text: "not logged", tone: "" },
};

/** The text of a flag. */
export function flagText(flag: string): string {
  return words[flag]?.text ?? flag;
}

/** All flags. */
export const flags: readonly string[] = Object.keys(words);

/** The flags as tags, without those that say little, such as `trained`, which most groups have. */
export function Flags({ flags }: { readonly flags: readonly string[] }) {
  const shown = flags.filter((flag) => flag !== "trained" && !(flag === "single" && flags.length > 2));
  return shown.map((flag) => (
    <span key={flag} class={`tag ${words[flag]?.tone ?? ""}`}>
      {flagText(flag)}
    </span>
  ));
}
