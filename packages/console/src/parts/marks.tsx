/** @jsxImportSource preact */
import type { Marks } from "@trainyard/local";
import { hrefOf } from "../state/address.ts";
import { Icon } from "./icons.tsx";

export interface MarkListProps {
  readonly run: string;
  readonly marks: Marks;
  /** The step before one, and the newest one. */
  readonly before: (step: number) => number | undefined;
  readonly last: number | undefined;
}

/** The marks that are open, those that have ended, and what was not looked at. */
export function MarkList({ run, marks: { split, data, not_looked: others }, before, last }: MarkListProps) {
  const isOpen = ({ until }: Marks["data"][number]) => until === null;
  const line = (mark: Marks["data"][number], place: number) => {
    const from = before(mark.since);
    return (
      <li key={place} class={isOpen(mark) ? "warning" : ""}>
        <Icon name={isOpen(mark) ? "warning" : "note"} />
        <b>
          {mark.title}, {isOpen(mark) ? `since step ${mark.since}` : `steps ${mark.since} to ${mark.until}`}
        </b>
        <p>
          {mark.text} <a href={hrefOf(["runs", run], { step: mark.since, split })}>Show step {mark.since}</a>{" "}
          {from !== undefined && last !== undefined && (
            <a href={hrefOf(["compare"], { runs: `${run}@${from},${run}@${last}`, split })}>
              Compare steps {from} and {last}
            </a>
          )}
        </p>
      </li>
    );
  };
  const [open, ended] = [data.filter(isOpen), data.filter((mark) => !isOpen(mark))];
  return (
    <section class="found card" aria-label="Marks">
      {open.length > 0 && <ul class="notes">{open.map(line)}</ul>}
      {ended.length > 0 && (
        <details class="foot">
          <summary>Marks that ended: {ended.length}</summary>
          <ul class="notes">{ended.map(line)}</ul>
        </details>
      )}
      <details class="foot">
        <summary>{open.length === 0 ? "No mark is open. Not looked at" : "Not looked at"}</summary>
        {others.map((what) => (
          <p key={what}>{what}</p>
        ))}
      </details>
    </section>
  );
}
