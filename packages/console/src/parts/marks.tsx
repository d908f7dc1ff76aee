/** @jsxImportSource preact */
import type { Marks } from "@trainyard/local";
import { hrefOf } from "../state/address.ts";
import { Icon } from "./icons.tsx";

type Mark = Marks["data"][number];

export interface MarkListProps {
  readonly run: string;
  readonly marks: Marks;
  /** The address of the comparison of the step before a mark with the newest one. */
  readonly compareHref: (mark: Mark) => string;
}

/** The marks that are open, those that have ended, and what was not looked at. */
export function MarkList({ run, marks: { split, data, not_looked: others }, compareHref }: MarkListProps) {
  const line = (mark: Mark, place: number) => (
    <li key={place} class={mark.until === null ? "warning" : ""}>
      <Icon name={mark.until === null ? "warning" : "note"} />
      <b>
        {mark.title}, {mark.until === null ? `since step ${mark.since}` : `steps ${mark.since} to ${mark.until}`}
      </b>
      <p>
        {mark.text} <a href={hrefOf(["runs", run], { step: mark.since, split })}>Step {mark.since}</a>{" "}
        <a href={compareHref(mark)}>Compare with before</a>
      </p>
    </li>
  );
  const [open, ended] = [data.filter(({ until }) => until === null), data.filter(({ until }) => until !== null)];
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
        <summary>{open.length === 0 && "No mark is open. "}What was not looked at</summary>
        {others.join("; ")}
      </details>
    </section>
  );
}
