import type { Html } from "./html.ts";
import type { CodeSample } from "./samples.ts";

/** A page of the reference. */
export interface ReferencePage {
  readonly kind: "overview" | "operation" | "schema";
  /** From the root of the site: `/reference/training/models.log/`. */
  readonly address: string;
  readonly heading: string;
  /** The title of the browser tab. */
  readonly title: string;
  /** One sentence, for search engines and lists. */
  readonly description: string;
  /** Its name in lists of pages. */
  readonly label: string;
  /** The content at the top, beside the samples. */
  readonly intro: Html;
  readonly samples: readonly CodeSample[];
  /** What is below the intro, beside the samples: the parameters of an operation. */
  readonly request: Html | false;
  readonly rest: Html;
}
