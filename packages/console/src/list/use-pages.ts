import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { read, ReadError, type Answer } from "../api/read.ts";

type Ask = Parameters<typeof read<"/runs/{run_id}/rollouts">>[0];
type Page = Answer<"/runs/{run_id}/rollouts">;
export type Row = Page["data"][number];

const pageSize = 200;

/** A list that is read page by page when it becomes visible. */
export interface Pages {
  readonly total: number;
  readonly isRead: boolean;
  readonly error: ReadError | undefined;
  readonly at: (place: number) => Row | undefined;
  readonly view: (from: number, to: number) => void;
  /** Discards the read rows and reads the list again. */
  readonly again: () => void;
}

/** The attempts that match a filter. @param name identifies the filter */
export function usePages(name: string, ask: Ask): Pages {
  const [, setRound] = useState(0);
  const [total, setTotal] = useState(0);
  const [isRead, setRead] = useState(false);
  const [error, setError] = useState<ReadError>();
  const pages = useRef(new Map<number, readonly Row[] | "requested">());
  const generation = useRef(0);
  const latest = useRef(ask);
  latest.current = ask;
  const load = useCallback(async (page: number): Promise<void> => {
    if (pages.current.has(page)) return;
    const mine = generation.current;
    pages.current.set(page, "requested");
    const { path, params, query } = latest.current;
    try {
      const request = {
        path,
        ...(params && { params }),
        query: { ...query, limit: pageSize, offset: page * pageSize },
      };
      const answer = await read(request);
      // The response belongs to a filter that is no longer selected.
      if (mine !== generation.current) return;
      pages.current.set(page, answer.data);
      setTotal(answer.total);
      setRead(true);
      setError(undefined);
      setRound((before) => before + 1);
    } catch (failure) {
      if (mine !== generation.current) return;
      pages.current.delete(page);
      setError(failure instanceof ReadError ? failure : new ReadError(0, String(failure)));
    }
  }, []);
  const again = useCallback(() => {
    generation.current++;
    pages.current.clear();
    void load(0);
  }, [load]);
  useEffect(again, [name, again]);
  return {
    total,
    isRead,
    error,
    again,
    at(place) {
      const page = pages.current.get(Math.floor(place / pageSize));
      return page === undefined || page === "requested" ? undefined : page[place % pageSize];
    },
    view: useCallback(
      (from: number, to: number) => {
        for (let page = Math.floor(from / pageSize); page * pageSize < to; page++) void load(page);
      },
      [load],
    ),
  };
}
