/** @jsxImportSource preact */

/** The text of each flag. */
export const flagTexts: Readonly<Record<string, string>> = {
  exception: "exception",
  "same-answer": "same answer",
  cut: "cut off",
  stale: "old policy",
  "flat-low": "no signal, too hard",
  "flat-high": "no signal, too easy",
  single: "one attempt",
  trained: "trained on",
  "not-logged": "not logged",
};
const tones: Readonly<Record<string, string>> = { exception: "bad", cut: "warn" };

/** The flags as tags, without those that say little, such as `trained`, which most groups have. */
export function Flags({ flags }: { readonly flags: readonly string[] }) {
  const shown = flags.filter((flag) => flag !== "trained" && !(flag === "single" && flags.length > 2));
  return shown.map((flag) => (
    <span key={flag} class={`tag ${tones[flag] ?? ""}`}>
      {flagTexts[flag] ?? flag}
    </span>
  ));
}
