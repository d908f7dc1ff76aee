import { useLayoutEffect } from "preact/hooks";

/** A key of a page: its description and its function. */
export interface KeyBinding {
  /** The keys, each by its `KeyboardEvent.key`. */
  readonly keys: readonly string[];
  /** The labels of the keys, if they differ from the keys. */
  readonly shown?: readonly string[];
  readonly what: string;
  run(event: KeyboardEvent): void;
}

const off = "trainyard-console-keys-off";

/** Whether keys without a modifier work. People who dictate can switch them off, because every word would press keys. */
export function areKeysOn(): boolean {
  return localStorage.getItem(off) === null;
}

export function switchKeys(on: boolean): void {
  if (on) localStorage.removeItem(off);
  else localStorage.setItem(off, "1");
}

/** Listens to keys while a page is shown, except while somebody types, and except with a modifier. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isTyping(event.composedPath()[0]))
        return;
      if (document.querySelector("dialog[open]") !== null) return;
      const binding = bindings.find(({ keys }) => keys.includes(event.key));
      if (binding === undefined || (!areKeysOn() && event.key.length === 1 && event.key !== "?")) return;
      event.preventDefault();
      binding.run(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  });
}

function isTyping(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.matches("input, select, textarea") || target.isContentEditable);
}
