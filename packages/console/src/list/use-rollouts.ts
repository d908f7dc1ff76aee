import type { Reads, Rollout } from "../api/answers.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { useChanges } from "../api/live.ts";
import { read, ReadError, type Query } from "../api/read.ts";

const pageSize = 200;

/** Attempts, read page by page when they become visible. */
export type Rollouts = ReturnType<typeof useRollouts>;

/** The attempts of a run that match a filter; none if it is not read. */
export function useRollouts(run: string, filter: Query, isRead: boolean) {
  const [{ total, error }, setState] = useState<{ total?: number; error?: ReadError }>({});
  const [newest, setNewest] = useState(0);
  const pages = useRef(new Map<number, readonly Rollout[]>());
  const ask = (query: Reads["/runs/{run_id}/rollouts"]["query"]) =>
    read({ path: "/runs/{run_id}/rollouts", params: { run_id: run }, filter, query });
  const load = async (page: number) => {
    const mine = pages.current;
    if (mine.has(page)) return;
    mine.set(page, []);
    const answer = await ask({ limit: pageSize, offset: page * pageSize }).catch((error) => ReadError.of(error));
    // The response belongs to a filter that is no longer selected.
    if (mine !== pages.current) return;
    if (answer instanceof ReadError) {
      mine.delete(page);
      setState((before) => ({ ...before, error: answer }));
    } else {
      mine.set(page, answer.data);
      setState({ total: answer.total });
      setNewest(answer.total);
    }
  };
  /** Discards the read rows and reads the list again. */
  const again = () => {
    if (!isRead) return;
    pages.current = new Map();
    void load(0);
  };
  useEffect(again, [run, JSON.stringify(filter), isRead]);
  // The list itself never jumps.
  useChanges(
    run,
    () =>
      isRead &&
      void ask({ limit: 1 }).then(
        ({ total: now }) => setNewest(now),
        () => undefined,
      ),
  );
  return {
    total,
    error,
    /** The number of attempts since the list was read. */
    fresh: Math.max(0, newest - (total ?? 0)),
    again,
    at: (place: number) => pages.current.get(Math.floor(place / pageSize))?.[place % pageSize],
    /** Reads the visible rows. */
    view: (from: number, to: number): void => {
      for (let page = Math.floor(from / pageSize); page * pageSize < to; page++) void load(page);
    },
    /** Another value if the list is read again. */
    version: pages.current,
  };
}
