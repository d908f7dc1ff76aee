import { isJson, responseOf, type DocumentResponse, type Media, type Operation } from "@trainyard/document";

/** Selects a response of a document. Default: the first JSON example of the first success response. */
export interface Wanted {
  readonly status?: number | undefined;
  /** The name of an example. */
  readonly example?: string | undefined;
  /** Used if the response has it. */
  readonly mediaType?: string | undefined;
}

/** A response as shown in the document. */
export interface Example {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  /** Undefined if it has no body. */
  readonly body: unknown;
  /** The name of the example; `generated` for a body that was generated from the schema. */
  readonly name: string;
}

/** Generates a body from its schema if the document has no example. */
export type Generate = (operation: Operation, status: number, mediaType: string) => Promise<unknown>;

/** Returns a response from the document, or a sentence that says why there is none. */
export function exampleOf(
  operation: Operation,
  wanted: Wanted,
  generate?: Generate,
): Example | string | Promise<Example> {
  const status = wanted.status ?? successOf(operation);
  const response = responseOf(operation, status);
  if (response === undefined) {
    const there = [...operation.responses.keys()].join(", ");
    return `${operation.name} declares no response ${status}. It declares: ${there}.`;
  }
  const media = chooseMedia(response, wanted.mediaType);
  const shown = { status, headers: headersOf(response), mediaType: media?.mediaType };
  const name = wanted.example ?? media?.examples.keys().next().value;
  if (name !== undefined && media?.examples.has(name)) return { ...shown, name, body: media.examples.get(name) };
  if (name !== undefined) {
    const names = [...(media?.examples.keys() ?? [])].join(", ") || "none";
    return `The response ${status} of ${operation.name} has no example "${name}". There are: ${names}.`;
  }
  if (media === undefined) return { ...shown, name: "empty", body: undefined };
  if (generate === undefined) return `The response ${status} of ${operation.name} has no example in its document.`;
  return generate(operation, status, media.mediaType).then((body) => ({ ...shown, name: "generated", body }));
}

/** The status of the first success response, else of the first response; 200 if there are none. */
export function successOf({ responses }: Operation): number {
  const statuses = [...responses.keys()].map((key) => Number(key.replace(/XX$/i, "00"))).filter(Number.isInteger);
  return statuses.find((status) => status < 300) ?? (responses.has("default") ? 200 : (statuses[0] ?? 200));
}

function chooseMedia({ content }: DocumentResponse, wanted: string | undefined): Media | undefined {
  const all = [...content.values()];
  return content.get(wanted ?? "") ?? all.find(({ mediaType }) => isJson(mediaType)) ?? all[0];
}

/** The headers that have an example. The host itself adds the request id. */
export function headersOf({ headers }: DocumentResponse): Record<string, string> {
  const shown = [...headers].filter(([name, { example }]) => example !== undefined && !/^x-request-id$/i.test(name));
  return Object.fromEntries(shown.map(([name, { example }]) => [name, String(example)]));
}
