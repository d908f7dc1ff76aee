import { isJson, type DocumentResponse, type Operation } from "@trainyard/document";
import { headersOf } from "@trainyard/host";
import { createPrism } from "./prism.ts";

/** An answer before it is written out. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when there is none. */
  readonly body: unknown;
  /** Sent as it is, in place of the body. */
  readonly text?: string;
}

/** Which answer is meant. By default the first example of the first success, in JSON. */
export interface Wanted {
  readonly status?: number | undefined;
  readonly example?: string | undefined;
  /** Used where the answer has it. */
  readonly mediaType?: string | undefined;
}

/** Takes an answer from the document, or says in a sentence why there is none. */
export type Answers = (operation: Operation, wanted: Wanted) => Promise<Answer | string>;

/**
 * Makes the function that takes answers from a document: a named example, else the first, else what Prism makes of the
 * schema. Prism takes most of a second to load, so that it is left alone where the document has an example.
 */
export function createAnswers(document: object): Answers {
  const prism = createPrism(document);
  return async (operation, wanted) => {
    const statuses = [...operation.responses.keys()].map(Number);
    const status = wanted.status ?? statuses.find((code) => code < 300) ?? statuses[0] ?? 200;
    const response = operation.responses.get(String(status));
    if (!response) return `${operation.name} has no answer ${status}. There are: ${statuses.join(", ")}.`;
    const mediaType = chooseType(response, wanted.mediaType);
    const examples = response.content.get(mediaType ?? "")?.examples ?? new Map<string, unknown>();
    const name = wanted.example ?? examples.keys().next().value;
    const headers = headersWith(response, mediaType);
    if (name !== undefined && examples.has(name)) return { status, headers, body: examples.get(name) };
    if (name !== undefined) {
      const names = [...examples.keys()].join(", ") || "none";
      return `The answer ${status} of ${operation.name} has no example "${name}". There are: ${names}.`;
    }
    return { status, headers, body: mediaType && (await prism(operation, status, mediaType)) };
  };
}

function chooseType({ content }: DocumentResponse, wanted: string | undefined): string | undefined {
  const types = [...content.keys()];
  return types.find((type) => type === wanted) ?? types.find(isJson) ?? types[0];
}

function headersWith(response: DocumentResponse, mediaType: string | undefined): Headers {
  const headers = new Headers(headersOf(response));
  if (mediaType !== undefined) headers.set("content-type", mediaType);
  return headers;
}
