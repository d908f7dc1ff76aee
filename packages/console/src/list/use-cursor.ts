import { useEffect, useRef, useState } from "preact/hooks";
import type { KeyBinding } from "../state/keys.ts";

/** The selected row of a list, which `j` and `k` change and `Enter` opens. */
export function useCursor<T>(
  rows: readonly T[],
  what: string,
  open: (row: T) => void,
): { at: number; keys: KeyBinding[] } {
  const [at, show] = useState(-1);
  // Keys may arrive faster than the page is drawn.
  const place = useRef(-1);
  const setAt = (next: number) => {
    place.current = next;
    show(next);
  };
  const move = (by: number) => setAt(Math.max(0, Math.min(rows.length - 1, place.current + by)));
  useEffect(() => {
    if (at >= 0) document.querySelector(".on")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return {
    at,
    keys: [
      {
        keys: ["j", "k"],
        what: `next and previous ${what}`,
        run: ({ key }) => move(key === "j" ? 1 : -1),
      },
      {
        keys: ["Enter"],
        what: `open the ${what}`,
        run: (event) => {
          const row = rows[place.current];
          // If a link or a button has the focus, the key opens that one.
          if (event.target instanceof HTMLElement && event.target.matches("a, button, summary, [role=slider]"))
            event.target.click();
          else if (row !== undefined) open(row);
        },
      },
    ],
  };
}
