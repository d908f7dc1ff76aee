import { useEffect } from "preact/hooks";
import { change, readAddress } from "../state/address.ts";
import type { KeyBinding } from "../state/keys.ts";

export interface CursorOptions {
  readonly total: number;
  /** What a row is: `group`. */
  readonly what: string;
  readonly open: (place: number) => void;
  /** More keys for the next and the previous row. */
  readonly more?: readonly string[];
}

/** The selected row of a list, which `j` and `k` change and `Enter` opens. The address has it, so the way back leads to it. */
export function useCursor({ total, what, open, more = [] }: CursorOptions): { at: number; keys: KeyBinding[] } {
  // Keys may arrive faster than the page is drawn, so the address has the current state.
  const here = () => Number(readAddress().query.get("at") ?? -1);
  const at = here();
  useEffect(() => {
    if (at >= 0) document.querySelector(".on")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return {
    at,
    keys: [
      {
        keys: ["j", "k", ...more],
        shown: ["j", "k"],
        what: `next and previous ${what}`,
        run: ({ key }) =>
          change({ at: Math.max(0, Math.min(total - 1, here() + (key === "j" || key === "ArrowDown" ? 1 : -1))) }),
      },
      {
        keys: ["Enter"],
        what: `open the ${what}`,
        run: ({ target }) => {
          // If a link or a button has the focus, the key opens that one.
          if (target instanceof HTMLElement && target.matches("a, button, summary, [role=slider]")) target.click();
          else open(here());
        },
      },
    ],
  };
}
