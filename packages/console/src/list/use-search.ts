import type { Rollout, SearchHit, SearchLine } from "../api/answers.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { readLines, ReadError, urlOf, type Query } from "../api/read.ts";
import type { Rollouts } from "./use-rollouts.ts";

/** How many hits a page keeps. A search that has more is not useful as a list. */
const mostHits = 5000;

interface State extends Pick<SearchLine, "read" | "of"> {
  readonly hits: readonly SearchHit[];
  readonly end: "" | "whole" | "stopped" | "full";
  readonly error?: ReadError;
}

const none: State = { hits: [], read: 0, of: 0, end: "" };

/** The attempts that have the words of a search, as they are found. The search ends when the page shows something else. */
export function useSearch(run: string, filter: Query) {
  const url = urlOf({ path: "/runs/{run_id}/rollouts/search", params: { run_id: run }, filter });
  const isSearch = filter["text"] !== undefined;
  const [state, setState] = useState(none);
  const [round, setRound] = useState(0);
  const controller = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    if (!isSearch) return undefined;
    const mine = (controller.current = new AbortController());
    const hits: SearchHit[] = [];
    const load = async () => {
      setState(none);
      try {
        for await (const { read, of, hits: more } of readLines<SearchLine>(url, mine.signal)) {
          hits.push(...more);
          const isFull = hits.length >= mostHits && read < of;
          setState({ hits, read, of, end: isFull ? "full" : read === of ? "whole" : "" });
          if (isFull) return mine.abort();
        }
      } catch (error) {
        if (controller.current !== mine) return;
        if (mine.signal.aborted) setState((before) => (before.end === "" ? { ...before, end: "stopped" } : before));
        else setState((before) => ({ ...before, end: "stopped", error: ReadError.of(error) }));
      }
    };
    void load();
    return () => {
      controller.current = undefined;
      mine.abort();
    };
  }, [url, isSearch, round]);
  const { hits, read, of, end, error } = state;
  const rollouts: Rollouts = {
    total: hits.length,
    error,
    fresh: 0,
    again: () => setRound(round + 1),
    at: (place: number): Rollout | undefined => hits[place]?.rollout,
    view: () => undefined,
    version: rows,
  };
  return {
    rollouts,
    read,
    of,
    end,
    excerptAt: (place: number) => hits[place]?.excerpt,
    stop: () => controller.current?.abort(),
  };
}

const rows = new Map<number, readonly Rollout[]>();
