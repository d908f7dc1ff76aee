/** @jsxImportSource preact */
import type { RewardRange, Rollout } from "../api/answers.ts";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { advantage, count } from "../format/format.ts";
import { Reward } from "../parts/strip.tsx";
import { change, hrefOf } from "../state/address.ts";
import type { Rollouts } from "./use-rollouts.ts";

const columns = ["step", "task", "reward", "advantage", "tokens", "tools", "last answer"];
const rowHeight = 36;
/** Additional rows above and below the visible ones, so that scrolling shows no gap. */
const margin = 8;

export interface RolloutListProps {
  readonly run: string;
  readonly rollouts: Rollouts;
  readonly range: RewardRange | undefined;
  /** The selected row. */
  readonly at: number;
  /** What a search found in a row, instead of its last answer: the word, and what is before and after it. */
  readonly excerptAt?: ((place: number) => readonly string[] | undefined) | undefined;
}

/** A list of any length; only visible rows are in the page. It is one tab stop, and the arrow keys change the row. */
export function RolloutList({ run, rollouts, range = { low: 0, high: 1 }, at, excerptAt }: RolloutListProps) {
  const { total = 0, view, version } = rollouts;
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setSeen] = useState({ top: 0, height: 600 });
  const look = () => box.current && setSeen({ top: box.current.scrollTop, height: box.current.clientHeight });
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / rowHeight) - margin);
  const last = Math.min(total, Math.ceil((top + height) / rowHeight) + margin);
  useEffect(() => view(first, last), [first, last, version]);
  useEffect(() => {
    if (box.current === null || at < 0) return;
    const place = at * rowHeight;
    // The head covers the first row.
    const lowest = place + 2 * rowHeight - box.current.clientHeight;
    box.current.scrollTop = Math.min(place, Math.max(lowest, box.current.scrollTop));
    // Before the list is read, it has no height to scroll in.
  }, [at, total > 0]);
  return (
    <div
      class="list"
      role="grid"
      aria-label="Attempts"
      aria-rowcount={total + 1}
      aria-colcount={columns.length}
      tabIndex={0}
      ref={box}
      onScroll={look}
      {...(at >= 0 && { "aria-activedescendant": `row-${at}` })}
    >
      <div class="row head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <span key={column} role="columnheader">
            {excerptAt !== undefined && column === "last answer" ? "what was found" : column}
          </span>
        ))}
      </div>
      <div role="rowgroup" class="rows" style={{ height: `${total * rowHeight}px` }}>
        {Array.from({ length: last - first }, (_, offset) => first + offset).map((place) => (
          <Line
            key={place}
            row={rollouts.at(place)}
            excerpt={excerptAt?.(place)}
            isOn={place === at}
            {...range}
            {...{ run, place }}
          />
        ))}
      </div>
    </div>
  );
}

interface LineProps extends RewardRange {
  readonly run: string;
  readonly row: Rollout | undefined;
  readonly excerpt: readonly string[] | undefined;
  readonly place: number;
  readonly isOn: boolean;
}

/** One row, empty until it is read. It is drawn again only when it changes itself, not whenever other rows become visible. */
function Line({ run, row, excerpt, place, isOn, low, high }: LineProps) {
  const draw = () => {
    const cells = row && [
      row.step,
      <a key="task" href={groupHref(run, row)} tabIndex={-1}>
        {row.name}
      </a>,
      <Reward key="reward" value={row.attempt.reward} range={{ low, high }} missing="error" />,
      advantage(row.attempt.advantage),
      count(row.attempt.tokens),
      count(row.attempt.tool_calls),
      excerpt === undefined ? row.attempt.preview : [excerpt[0], <mark key="word">{excerpt[1]}</mark>, excerpt[2]],
    ];
    return (
      <div
        id={`row-${place}`}
        role="row"
        aria-rowindex={place + 2}
        aria-selected={isOn}
        class={isOn ? "row on" : "row"}
        style={{ top: `${place * rowHeight}px` }}
        onClick={() => change({ at: place })}
      >
        {columns.map((column, at) => (
          <span key={column} role="gridcell">
            {cells?.[at]}
          </span>
        ))}
      </div>
    );
  };
  return useMemo(draw, [run, row, excerpt, place, isOn, low, high]);
}

/** The group of an attempt, which shows that attempt. */
export function groupHref(run: string, { group, attempt }: Rollout): string {
  return hrefOf(["runs", run, "groups", group], { show: attempt.place + 1 });
}
