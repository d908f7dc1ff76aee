import { useEffect } from "preact/hooks";
import { change, readAddress } from "../state/address.ts";
import type { KeyBinding } from "../state/keys.ts";

/**
 * The selected row of a list, which `j` and `k` change, and whose link `Enter` opens. The address has it, so that the way
 * back leads to it.
 *
 * @param what a row: `group`
 * @param more further keys for the next and the previous row
 */
export function useCursor(total: number, what: string, more: readonly string[] = []) {
  // Keys may arrive faster than the page is drawn, so the address has the current state.
  const here = () => Number(readAddress().query.get("at") ?? -1);
  const at = here();
  useEffect(() => {
    if (at >= 0) document.querySelector("a.on, tr.on, .row.on")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const keys: KeyBinding[] = [
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
      run({ target }) {
        // If a link or a button has the focus, the key opens that one.
        const isFocused = target instanceof HTMLElement && target.matches("a, button, summary, [role=slider]");
        (isFocused ? target : document.querySelector<HTMLElement>("a.on, tr.on a, .row.on a"))?.click();
      },
    },
  ];
  return { at, keys };
}
