/** @jsxImportSource preact */
import type { JSX } from "preact";
import { urlOf, type Ask, type ReadPath } from "../api/read.ts";
import { isPart } from "../state/address.ts";

export interface DownloadProps<P extends ReadPath> {
  readonly ask: Ask<P>;
  /** What the link says: `Download JSONL`. */
  readonly text: string;
  /** What is downloaded, in words that begin with the text. */
  readonly title: string;
}

/** A link to an export. A page that has the server inside has no address to download from. */
export function Download<P extends ReadPath>({ ask, text, title }: DownloadProps<P>): JSX.Element | null {
  if (isPart()) return null;
  return (
    <a class="download" href={urlOf(ask)} download="" title={title} aria-label={title}>
      {text}
    </a>
  );
}
