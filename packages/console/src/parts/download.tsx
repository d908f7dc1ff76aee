/** @jsxImportSource preact */
import { urlOf, type Ask, type ReadPath } from "../api/read.ts";
import { isPart } from "../state/address.ts";

export interface DownloadProps<P extends ReadPath> {
  readonly ask: Ask<P>;
  /** The text of the link: `Download JSONL`. */
  readonly text: string;
  /** A description of the download, which begins with the text of the link. */
  readonly title: string;
}

/** A link to an export. It is not shown in a page that contains the server, because there is no address to download from. */
export function Download<P extends ReadPath>({ ask, text, title }: DownloadProps<P>) {
  if (isPart()) return null;
  return (
    <a class="download" href={urlOf(ask)} download="" title={title} aria-label={title}>
      {text}
    </a>
  );
}
