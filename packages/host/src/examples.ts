import { isJson, responseOf, type DocumentResponse, type Media, type Operation } from "@trainyard/document";

/** Which answer of a document is meant. By default the first example of the first success, in JSON. */
export interface Wanted {
  readonly status?: number | undefined;
  /** The name of an example. */
  readonly example?: string | undefined;
  /** Used where the answer has it. */
  readonly mediaType?: string | undefined;
}

/** An answer as the document shows it. */
export interface Example {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  /** Undefined where there is none. */
  readonly body: unknown;
  /** What it is called; `generated` for one that was made from the schema. */
  readonly name: string;
}

/** Makes a body from its schema, where the document shows none. */
export type Generate = (operation: Operation, status: number, mediaType: string) => Promise<unknown>;

/** Takes an answer from the document, or says in a sentence why there is none. */
export function exampleOf(
  operation: Operation,
  wanted: Wanted,
  generate?: Generate,
): Example | string | Promise<Example> {
  const status = wanted.status ?? successOf(operation);
  const response = responseOf(operation, status);
  if (response === undefined) {
    const there = [...operation.responses.keys()].join(", ");
    return `${operation.name} declares no answer ${status}. It declares: ${there}.`;
  }
  const media = chooseMedia(response, wanted.mediaType);
  const shown = { status, headers: headersOf(response), mediaType: media?.mediaType };
  const name = wanted.example ?? media?.examples.keys().next().value;
  if (name !== undefined && media?.examples.has(name)) return { ...shown, name, body: media.examples.get(name) };
  if (name !== undefined) {
    const names = [...(media?.examples.keys() ?? [])].join(", ") || "none";
    return `The answer ${status} of ${operation.name} has no example "${name}". There are: ${names}.`;
  }
  if (media === undefined) return { ...shown, name: "empty", body: undefined };
  if (generate === undefined) return `The answer ${status} of ${operation.name} has no example in its document.`;
  return generate(operation, status, media.mediaType).then((body) => ({ ...shown, name: "generated", body }));
}

/** The status of the first success, else of the first answer at all; 200 where the document says nothing. */
export function successOf({ responses }: Operation): number {
  const statuses = [...responses.keys()].map((key) => Number(key.replace(/XX$/i, "00"))).filter(Number.isInteger);
  return statuses.find((status) => status < 300) ?? (responses.has("default") ? 200 : (statuses[0] ?? 200));
}

function chooseMedia({ content }: DocumentResponse, wanted: string | undefined): Media | undefined {
  const all = [...content.values()];
  return content.get(wanted ?? "") ?? all.find(({ mediaType }) => isJson(mediaType)) ?? all[0];
}

/** An example of each header that has one; the request's id is the host's own. */
export function headersOf({ headers }: DocumentResponse): Record<string, string> {
  const shown = [...headers].filter(([name, { example }]) => example !== undefined && !/^x-request-id$/i.test(name));
  return Object.fromEntries(shown.map(([name, { example }]) => [name, String(example)]));
}
