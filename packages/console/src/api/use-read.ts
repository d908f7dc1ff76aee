import { useLayoutEffect, useState } from "preact/hooks";
import { useChanges } from "./live.ts";
import type { Reads } from "./answers.ts";
import { count, read, ReadError, urlOf, type Ask } from "./read.ts";

/**
 * Reads the data of a page, and again after each change of its run. The previous data stay until there are newer ones. With
 * undefined, it reads nothing.
 *
 * @param run the run whose changes matter; undefined for all runs
 */
export function useRead<P extends keyof Reads>(ask: Ask<P> | undefined, run?: string) {
  const [state, setState] = useState<{ url: string; data?: Reads[P]["answer"]; error?: ReadError }>({ url: "" });
  const [round, setRound] = useState(0);
  const url = ask === undefined ? "" : urlOf(ask);
  useChanges(run, () => setRound((before) => before + 1));
  useLayoutEffect(() => {
    if (ask === undefined) return undefined;
    const controller = new AbortController();
    const load = async () => {
      count(1);
      try {
        const data = await read(ask, controller.signal);
        setState({ url, data });
      } catch (error) {
        if (controller.signal.aborted) return;
        const failure = ReadError.of(error);
        // While the server does not respond, the page keeps its data.
        setState((before) => (failure.status === 0 && before.url === url ? before : { url, error: failure }));
      } finally {
        count(-1);
      }
    };
    void load();
    return () => controller.abort();
  }, [url, round]);
  return { data: state.data, error: state.url === url ? state.error : undefined };
}
