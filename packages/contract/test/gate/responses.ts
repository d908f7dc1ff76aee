import { type Row, rowsOf } from "./row.ts";

/** Statuses, bodies, media types, headers and links of responses. */
export const responses: readonly Row[] = [
  ...rowsOf(`
training: a body is removed | breaking | Callers that read it get undefined.
  remove models.delete/responses/200/content
training: the status 200 becomes 201 | breaking | Callers that expect 200 fail.
  copy models.create/responses/200 models.create/responses/201
  remove models.create/responses/200
training: the body of an error becomes nullable | breaking | Callers that read it may get null.
  set DetailError/properties/detail/type [string, "null"]
training: a stream is removed | breaking | Callers that request this media type receive another one.
  remove chat.completions.create/responses/200/content/text~1event-stream
  remove chat.completions.create/x-stream
training: a field is removed from the chunks of a stream | breaking | Callers that read it get undefined.
  remove ChatCompletionChunk/properties/usage
training: a header has another type | breaking | A number becomes a string.
  set /components/headers/RetryAfter/schema {type: string}
inference: the name of a header is written in capitals | neutral or additive | Header names are case-insensitive.
  copy models.list/responses/200/headers/x-request-id models.list/responses/200/headers/X-Request-Id
  remove models.list/responses/200/headers/x-request-id
training: a link is added | neutral or additive | The response does not change.
  set models.create/responses/200/links {log: {operationId: log}}
operation: read: a link has another target | neutral or warning | A link only suggests what to call next.
  {responses: {"200": {description: Done., links: {next: {operationId: run}}}}}
  → {responses: {"200": {description: Done., links: {next: {operationId: stop}}}}}
operation: read: a link is removed | warning or neutral | A link only suggests what to call next.
  {responses: {"200": {description: Done., links: {next: {operationId: run}}}}}
  → {responses: {"200": {description: Done.}}}
training: all errors become one | warning or breaking or additive | Each of them may still occur.
  copy models.delete/responses/401 models.delete/responses/default
  remove models.delete/responses/401
  remove models.delete/responses/404
  remove models.delete/responses/429
inference: the body of an error has fewer variants
  | additive or neutral | Readers already handle the rest, and clients return the body untyped.
  remove InferenceErrorBody/anyOf/1
  remove InferenceLayerError
`),
];
