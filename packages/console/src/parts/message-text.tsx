/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { reward } from "../format/format.ts";
import { surprise } from "../format/surprise.ts";
import type { Part, TokenText } from "./content.ts";

/** The number of lines of a text that are shown at first. */
const firstLines = 40;
const firstLength = 6000;

/** Text, unchanged. The rest of a very long text is shown on request. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = text.split("\n");
  if (isWhole || (lines.length <= firstLines + 5 && text.length <= firstLength * 1.2)) return <>{text}</>;
  const beginning = lines.slice(0, firstLines).join("\n").slice(0, firstLength);
  const hiddenLines = lines.length - beginning.split("\n").length;
  return (
    <>
      {beginning}…{" "}
      <button type="button" class="more" onClick={() => setWhole(true)}>
        {hiddenLines > 0
          ? `show ${hiddenLines.toLocaleString("en")} more lines`
          : `show ${(text.length - beginning.length).toLocaleString("en")} more characters`}
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
export function Parts({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <>
      {parts.map((part, at) => {
        if (part.kind === "text") return <LongText key={at} text={part.text} />;
        if (part.kind === "image") return <img key={at} class="shown" src={part.source} alt={part.what} />;
        return (
          <span key={at} class="named">
            {part.what}
          </span>
        );
      })}
    </>
  );
}

/** Tokens, colored by their surprise; the probability is shown on hover. */
export function Surprise({ tokens }: { readonly tokens: readonly TokenText[] }) {
  return (
    <>
      {tokens.map(({ token, logprob }, at) => {
        const degree = surprise(logprob);
        if (degree === 0) return token;
        const probability = Math.exp(logprob);
        const text =
          probability < 1e-4 ? probability.toExponential(1) : reward(probability, probability < 0.01 ? 4 : 2);
        return (
          <span key={at} class={`k${degree}`} title={`p ${text}, log p ${logprob.toFixed(2)}`}>
            {token}
          </span>
        );
      })}
    </>
  );
}
