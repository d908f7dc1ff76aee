import { cases, type Case } from "@trainyard/testing/services";

/** One response that a document shows: of an operation, with a status, in a media type, with a named example. */
export interface ShownResponse {
  readonly entry: Case;
  readonly status: number;
  /** Undefined for a response without a body, as are the example and its value. */
  readonly mediaType?: string;
  readonly example?: string | undefined;
  readonly value?: unknown;
}

/** All responses that the documents show, in order. */
export const shownResponses: readonly ShownResponse[] = cases.flatMap(shownBy);

/** All responses that the document shows for an operation. */
export function shownBy(entry: Case): ShownResponse[] {
  return [...entry.operation.responses].flatMap(([key, { content }]): ShownResponse[] => {
    const status = Number(key);
    if (content.size === 0) return [{ entry, status }];
    return [...content].flatMap(([mediaType, { examples }]) =>
      [...examples].map(([example, value]) => ({ entry, status, mediaType, example, value })),
    );
  });
}
