/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { count, small } from "../format/format.ts";
import type { Turn } from "./content.ts";
import type { Piece } from "./surprise.ts";

/** The part of a text that is shown at first. */
const firstLines = 40;
const firstLength = 6000;

/** Text, unchanged. The rest of a very long text is shown on request. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = text.split("\n");
  if (isWhole || (lines.length <= firstLines + 5 && text.length <= firstLength * 1.2)) return <>{text}</>;
  const beginning = lines.slice(0, firstLines).join("\n").slice(0, firstLength);
  const more = lines.length - beginning.split("\n").length;
  return (
    <>
      {beginning}…{" "}
      <button type="button" class="more" onClick={() => setWhole(true)}>
        show {more > 0 ? `${count(more)} more lines` : `${count(text.length - beginning.length)} more characters`}
      </button>
    </>
  );
}

interface FoldProps {
  readonly title: ComponentChildren;
  readonly isOpen?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Text below a title that opens it. */
export function Fold({ title, isOpen = false, class: name = "", children }: FoldProps) {
  return (
    <details class={`call ${name}`} open={isOpen}>
      <summary>{title}</summary>
      <div class="pre">{children}</div>
    </details>
  );
}

/** The content of a message. */
export function Parts({ parts }: Pick<Turn, "parts">) {
  return parts.map((part, at) => {
    if (part.kind === "text") return <LongText key={at} text={part.text} />;
    if (part.kind === "image") return <img key={at} class="shown" src={part.source} alt={part.what} />;
    return (
      <span key={at} class="named">
        {part.what}
      </span>
    );
  });
}

/** How surprising a token was: 0 from a probability of 50 %, 1 below 50 %, 2 below 10 %, 3 below 1 %. */
const degreeOf = (probability: number) => [0.5, 0.1, 0.01].filter((limit) => probability < limit).length;

/** Text, colored by the surprise of its tokens; the probability is shown on hover. */
export function Surprise({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map(({ text, logprob = NaN }, at) => {
    const degree = degreeOf(Math.exp(logprob));
    if (degree === 0) return text;
    return (
      <span key={at} class={`k${degree}`} title={`p ${small(Math.exp(logprob))}, log p ${logprob.toFixed(2)}`}>
        {text}
      </span>
    );
  });
}
