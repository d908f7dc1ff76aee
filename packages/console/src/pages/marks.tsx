/** @jsxImportSource preact */
import type { Marks } from "@trainyard/local";
import { Icon } from "../parts/icons.tsx";
import { hrefOf } from "../state/address.ts";
import type { Overview } from "./use-overview.ts";

/** The marks that are open, those that have ended, and what was not looked at. */
export function MarkList({ overview: { run, marks, compareHref } }: { readonly overview: Overview }) {
  if (marks === undefined || marks.steps === 0) return null;
  const line = ({ title, since, until, text }: Marks["data"][number], place: number) => (
    <li key={place} class={until === null ? "warning" : ""}>
      <Icon name={until === null ? "warning" : "note"} />
      <b>
        {title}, {until === null ? `since step ${since}` : `steps ${since} to ${until}`}
      </b>
      <p>
        {text} <a href={hrefOf(["runs", run], { step: since, split: marks.split })}>Step {since}</a>{" "}
        <a href={compareHref(since)}>Compare with before</a>
      </p>
    </li>
  );
  const open = marks.data.filter(({ until }) => until === null);
  const ended = marks.data.slice(open.length);
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
        {marks.not_looked.join("; ")}
      </details>
    </section>
  );
}
