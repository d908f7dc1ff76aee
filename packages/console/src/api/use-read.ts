import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useChanges } from "./live.ts";
import { read, ReadError, urlOf, type Answer, type Ask, type ReadPath } from "./read.ts";

/** What is read for a page. What was read before stays until there is something newer. */
export interface Read<T> {
  readonly data: T | undefined;
  readonly error: ReadError | undefined;
  /** Whether it takes long enough that people should know. */
  readonly isSlow: boolean;
}

/** After so many milliseconds of waiting a page says that it waits. */
const slowAfter = 300;

/**
 * Reads what a page shows, and again after each change of its run. Undefined asks for nothing.
 *
 * @param run whose changes matter; all, where it is undefined
 */
export function useRead<P extends ReadPath>(ask: Ask<P> | undefined, run?: string): Read<Answer<P>> {
  const [state, setState] = useState<{ url: string; data?: Answer<P>; error?: ReadError }>({ url: "" });
  const [isSlow, setSlow] = useState(false);
  const [round, setRound] = useState(0);
  const url = ask === undefined ? "" : urlOf(ask);
  const latest = useRef(ask);
  latest.current = ask;
  useChanges(
    run,
    useCallback(() => setRound((before) => before + 1), []),
  );
  useLayoutEffect(() => {
    const { current } = latest;
    if (current === undefined) return undefined;
    const controller = new AbortController();
    const slow = setTimeout(() => setSlow(true), slowAfter);
    const load = async () => {
      try {
        const data = await read(current, controller.signal);
        setState({ url, data });
      } catch (error) {
        if (controller.signal.aborted) return;
        const known = error instanceof ReadError ? error : new ReadError(0, String(error));
        // What is on the page stays there while nobody answers.
        setState((before) => (known.status === 0 && before.url === url ? before : { url, error: known }));
      }
      clearTimeout(slow);
      setSlow(false);
    };
    void load();
    return () => {
      clearTimeout(slow);
      controller.abort();
    };
  }, [url, round]);
  return { data: state.data, error: state.url === url ? state.error : undefined, isSlow };
}
