import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useChanges } from "./live.ts";
import { read, ReadError, urlOf, type Answer, type Ask, type ReadPath } from "./read.ts";

/** The data of a page. The previous data stay until there are newer ones. */
export interface Read<T> {
  readonly data: T | undefined;
  readonly error: ReadError | undefined;
  /** Whether it takes so long that the page should show it. */
  readonly isSlow: boolean;
}

/** Milliseconds after which a page shows that it is waiting. */
const slowAfter = 300;

/**
 * Reads the data of a page, and again after each change of its run. With undefined, it reads nothing.
 *
 * @param run the run whose changes matter; undefined for all runs
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
        const failure = error instanceof ReadError ? error : new ReadError(0, String(error));
        // While the server does not respond, the page keeps its data.
        setState((before) => (failure.status === 0 && before.url === url ? before : { url, error: failure }));
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
