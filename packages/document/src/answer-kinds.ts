import { eventsOf, jsonOf, mediaKind, preferredMedia, sentType, type Media, type MediaKind } from "./media.ts";
import { successesOf, type DocumentResponse, type Operation } from "./operation.ts";

/** How an answer is read: `none` has no body, and the `content-type` that arrives decides on `any`. */
export type AnswerKind = "none" | "json" | "text" | "any" | "bytes" | "events";

/** An answer of success. */
export interface SuccessAnswer {
  readonly status: string;
  readonly kind: AnswerKind;
  /** Undefined if it has no body. */
  readonly media: Media | undefined;
}

/** The answers of success of an operation, the lowest status first, and what a client needs to ask for and read them. */
export interface SuccessAnswers {
  readonly all: readonly SuccessAnswer[];
  /** The `Accept` header, with JSON for errors; undefined if all is `application/json`. */
  readonly accept: string | undefined;
  /** The kinds by status, and `default` for the others; undefined if all are JSON, or all are text. */
  readonly kinds: Readonly<Record<string, AnswerKind>> | undefined;
}

/** The answers of success, by the media that an operation prefers. Without a declared one, what arrives decides. */
export function successAnswers({ responses }: Operation): SuccessAnswers {
  const all = successesOf(responses).map(answerOf);
  if (all.length === 0)
    return {
      all: [{ status: "default", kind: "any", media: undefined }],
      accept: "*/*",
      kinds: { default: "any" },
    };
  const accepted = [...new Set(all.flatMap(({ media }) => (media ? sentType(media) : [])))];
  const accept = accepted.some((one) => one !== "application/json")
    ? [...new Set([...accepted, "application/json"])].join(", ")
    : undefined;
  const isPlain = all.every(({ kind }) => kind === (accept === undefined ? "json" : "text"));
  return { all, accept, kinds: isPlain ? undefined : kindsByStatus(all) };
}

/** The media types of success that no call asks for, because the operation prefers others. */
export function unaskedMedia(operation: Operation): string[] {
  const answers = successAnswers(operation).all.flatMap(({ media }) => media ?? []);
  const contents = successesOf(operation.responses).map(({ content }) => content);
  const streams = operation.stream ? contents.flatMap((content) => eventsOf(content) ?? []) : [];
  const asked = new Set([...answers, ...streams].map(sentType));
  const all = contents.flatMap((content) => [...content.values()].map(sentType));
  return [...new Set(all)].filter((one) => !asked.has(one));
}

function answerOf({ status, content }: DocumentResponse): SuccessAnswer {
  const media = /^20[45]$/.test(status) ? undefined : (jsonOf(content) ?? preferredMedia(content)[0]);
  return { status, kind: media === undefined ? "none" : readers[mediaKind(media.mediaType)], media };
}

const readers: Readonly<Record<MediaKind, AnswerKind>> = {
  json: "json",
  form: "text",
  multipart: "bytes",
  text: "text",
  any: "any",
  bytes: "bytes",
  events: "events",
};

/** The kinds that differ from `default`, which is that of a range, or else of the first status. */
function kindsByStatus(all: readonly SuccessAnswer[]): Record<string, AnswerKind> {
  const rest = (all.find(({ status }) => !/^\d{3}$/.test(status)) ?? all[0])?.kind ?? "none";
  const others = all.filter(({ status, kind }) => kind !== rest && /^\d{3}$/.test(status));
  return Object.fromEntries([...others.map(({ status, kind }) => [status, kind]), ["default", rest]]);
}
