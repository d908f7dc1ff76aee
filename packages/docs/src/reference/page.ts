import type { Html } from "./html.ts";
import type { CodeSample } from "./samples.ts";

/** A page of the reference. The site and `pnpm dev` each put it into a frame of their own. */
export interface ReferencePage {
  readonly kind: "overview" | "operation" | "schema";
  /** From the root of the site: `/reference/training/models.log/`. */
  readonly address: string;
  readonly heading: string;
  /** What the browser's tab shows. */
  readonly title: string;
  /** One sentence, for search engines and lists. */
  readonly description: string;
  /** What a list of pages calls it. */
  readonly label: string;
  /** What stands at the top, beside the samples. */
  readonly intro: Html;
  readonly samples: readonly CodeSample[];
  readonly rest: Html;
}
