import { type Row, between, real } from "./row.ts";

/** Statuses, bodies, media types, headers and links of responses. */
export const responses: readonly Row[] = [
  real(
    "a body is removed",
    "training",
    (draft) => draft.remove("models.delete/responses/200/content"),
    "breaking",
    "Callers that read it get undefined.",
  ),
  real(
    "the status 200 becomes 201",
    "training",
    (draft) => {
      draft.set("models.create/responses/201", draft.get("models.create/responses/200"));
      draft.remove("models.create/responses/200");
    },
    "breaking",
    "Callers that expect 200 fail.",
  ),
  real(
    "an error is added",
    "training",
    (draft) => draft.set("models.create/responses/402", { description: "Pay." }),
    "additive or neutral",
    "Callers distinguish errors by their status alone.",
  ),
  real(
    "an error is removed",
    "training",
    (draft) => draft.remove("models.delete/responses/404"),
    "warning",
    "Code that handles it never runs; nothing fails.",
  ),
  real(
    "all errors become one",
    "training",
    (draft) => {
      const unauthorized = draft.get("models.delete/responses/401");
      for (const status of ["401", "404", "429"]) draft.remove(`models.delete/responses/${status}`);
      draft.set("models.delete/responses/default", unauthorized);
    },
    "warning or breaking or additive",
    "Each of them may still occur.",
  ),
  real(
    "the body of an error becomes nullable",
    "training",
    (draft) => draft.set("DetailError/properties/detail/type", ["string", "null"]),
    "breaking",
    "Callers that read it may get null.",
  ),
  real(
    "the body of an error has fewer variants",
    "inference",
    (draft) => {
      draft.remove("InferenceErrorBody/anyOf/1");
      draft.remove("InferenceLayerError");
    },
    "additive or neutral",
    "Readers already handle the rest, and clients return the body untyped.",
  ),
  real(
    "a stream is removed",
    "training",
    (draft) => {
      draft.remove("chat.completions.create/responses/200/content/text~1event-stream");
      draft.remove("chat.completions.create/x-stream");
    },
    "breaking",
    "Callers that request this media type receive another one.",
  ),
  real(
    "a field is removed from the chunks of a stream",
    "training",
    (draft) => draft.remove("ChatCompletionChunk/properties/usage"),
    "breaking",
    "Callers that read it get undefined.",
  ),
  real(
    "a media type is added",
    "inference",
    (draft) => draft.set("models.list/responses/200/content/text~1csv", { schema: { type: "string" } }),
    "additive or warning",
    "Callers that request the old one still get it.",
  ),
  real(
    "a header becomes optional",
    "training",
    (draft) => draft.set("/components/headers/RequestId/required", false),
    "breaking or warning",
    "Callers that read it may get undefined.",
  ),
  real(
    "a header has another type",
    "training",
    (draft) => draft.set("/components/headers/RetryAfter/schema", { type: "string" }),
    "breaking",
    "A number becomes a string.",
  ),
  real(
    "the name of a header is written in capitals",
    "inference",
    (draft) => {
      const headers = "models.list/responses/200/headers";
      draft.set(`${headers}/X-Request-Id`, draft.get(`${headers}/x-request-id`));
      draft.remove(`${headers}/x-request-id`);
    },
    "neutral or additive",
    "Header names are case-insensitive.",
  ),
  real(
    "a link is added",
    "training",
    (draft) => draft.set("models.create/responses/200/links", { log: { operationId: "log" } }),
    "neutral or additive",
    "The response does not change.",
  ),
  between(
    "read: a link has another target",
    { operation: { responses: { "200": { description: "Done.", links: { next: { operationId: "run" } } } } } },
    { operation: { responses: { "200": { description: "Done.", links: { next: { operationId: "stop" } } } } } },
    "neutral or warning",
    "A link only suggests what to call next.",
  ),
  between(
    "read: a link is removed",
    { operation: { responses: { "200": { description: "Done.", links: { next: { operationId: "run" } } } } } },
    { operation: { responses: { "200": { description: "Done." } } } },
    "warning or neutral",
    "A link only suggests what to call next.",
  ),
];
