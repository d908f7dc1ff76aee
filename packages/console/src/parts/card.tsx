/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface CardProps {
  readonly id: string;
  readonly title: string;
  /** What stands at the end of the title's line. */
  readonly end?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page, with its title. */
export function Card({ id, title, end, class: name = "", children }: CardProps) {
  return (
    <section class={`card ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <div class="end">{end}</div>
      </header>
      {children}
    </section>
  );
}

/** Names and their values, in order. */
export type Pairs = readonly (readonly [name: string, value: ComponentChildren])[];

/** Names and values as a list. */
export function PairList({ class: name, pairs }: { readonly class: string; readonly pairs: Pairs }) {
  return (
    <dl class={name}>
      {pairs.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Names and values in a line, below the title of a page. */
export function Facts({ facts }: { readonly facts: Pairs }) {
  return (
    <p class="facts">
      {facts.map(([name, value]) => (
        <span key={name}>
          {name} <b>{value}</b>
        </span>
      ))}
    </p>
  );
}

interface LazyProps extends Pick<CardProps, "title" | "class"> {
  readonly children: () => ComponentChildren;
}

/** A part that is drawn when it is opened: a run may have hundreds of them. */
export function Lazy({ title, class: name = "", children }: LazyProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class={name} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}
