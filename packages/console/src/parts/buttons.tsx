/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { Reads } from "../api/answers.ts";
import { urlOf, type Ask } from "../api/read.ts";
import { isPart } from "../state/address.ts";
import { Icon } from "./icons.tsx";

export interface ArrowsProps {
  /** What is before and after: `step`. */
  readonly what: string;
  /** Opens the previous one; undefined if there is none. */
  readonly before: (() => void) | undefined;
  readonly after: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

/** Buttons to the previous and the next one. */
export function Arrows({ what, before, after, children }: ArrowsProps) {
  const button = (name: "before" | "after", label: string, open: (() => void) | undefined) => (
    <button type="button" class="button icon" aria-label={label} disabled={open === undefined} onClick={open}>
      <Icon name={name} size={14} />
    </button>
  );
  return (
    <>
      {button("before", `Previous ${what}`, before)}
      {children}
      {button("after", `Next ${what}`, after)}
    </>
  );
}

/** Copies the address. It is not shown in a page that contains the server, because nobody else can open that address. */
export function CopyLink() {
  if (isPart()) return null;
  return (
    <button type="button" class="button" onClick={() => void navigator.clipboard.writeText(location.href)}>
      Copy link
    </button>
  );
}

export interface DownloadProps<P extends keyof Reads> {
  readonly ask: Ask<P>;
  /** The text of the link: `Download JSONL`. */
  readonly text: string;
  /** A description of the download, which begins with the text of the link. */
  readonly title: string;
}

/** A link to an export. It is not shown in a page that contains the server, because there is no address to download from. */
export function Download<P extends keyof Reads>({ ask, text, title }: DownloadProps<P>) {
  if (isPart()) return null;
  return (
    <a class="download" href={urlOf(ask)} download="" title={title} aria-label={title}>
      {text}
    </a>
  );
}
