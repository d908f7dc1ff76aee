import type { Json } from "../../src/json.ts";
import { type Row, between, real, rowsOf } from "./row.ts";

/** Parameters, and how they and bodies are written. */
export const parameters: readonly Row[] = [
  ...rowsOf(`
training: the example of a parameter changes | neutral | Nothing that is sent or received changes.
  set /components/parameters/Limit/example 50
training: a required query parameter is added | breaking | Calls without it are rejected.
  add trainingJobs.events.list/parameters {name: from, in: query, required: true, schema: {type: string}}
training: an optional query parameter is added to others | additive | It is optional.
  add models.checkpoints.list/parameters {name: from, in: query, schema: {type: string}}
training: an optional query parameter is removed | breaking or warning | Calls that send it lose its effect.
  remove models.checkpoints.list/parameters/3
training: a value of a query parameter is removed | breaking | A value that was accepted is rejected.
  take /components/parameters/StepOrder/schema/enum desc
training: the limit of a query parameter is lowered | breaking | A value that was accepted is rejected.
  set /components/parameters/Limit/schema/maximum 50
training: a query parameter is renamed | breaking | Calls with the old name lose its effect.
  set /components/parameters/Limit/name page_size
training: a query parameter becomes a header | breaking | It is sent elsewhere.
  set /components/parameters/StepOrder/in header
training: a header parameter is added | additive | It is optional.
  add trainingJobs.get/parameters {name: X-Trace, in: header, schema: {type: string}}
training: a header parameter may be empty | additive | Accepted values stay accepted.
  set /components/parameters/IdempotencyKey/schema/minLength 0
training: a default of OpenAPI is written out: explode | neutral | The default applied before.
  set /components/parameters/Limit/explode true
training: a default of OpenAPI is written out: style | neutral | The default applied before.
  set /components/parameters/ModelId/style simple
training: a default of OpenAPI is written out: allowEmptyValue | neutral | The default applied before.
  set /components/parameters/After/allowEmptyValue false
training: a default of OpenAPI is written out: required | neutral | The default applied before.
  set /components/parameters/After/required false
training: a string parameter is no longer exploded | neutral | A single value is written in the same way.
  set /components/parameters/After/explode false
auxiliary: a parameter is written as JSON | breaking | As JSON, a string has quotes.
  set hardware.list/parameters/0/content {application/json: {schema: {type: string}}}
  remove hardware.list/parameters/0/schema
auxiliary: a query parameter has another style | breaking | The same value is written differently.
  set hardware.list/parameters/0/style spaceDelimited
training: a media type of the body is added | additive | Accepted values stay accepted.
  set models.create/requestBody/content/multipart~1form-data {schema: {type: object}}
`),
  real(
    "a first optional query parameter is added",
    "training",
    (draft) =>
      draft.list("trainingJobs.get/parameters").push({ name: "verbose", in: "query", schema: { type: "boolean" } }),
    "additive",
    "It becomes one of the options of a call, whose position does not change.",
  ),
  real(
    "a parameter moves from the operation to the path",
    "training",
    (draft) => {
      const path = "/paths/~1v1~1preview~1training-jobs~1{training_job_id}";
      draft.set(`${path}/parameters`, [draft.get(`${path}/get/parameters/0`)]);
      draft.remove(`${path}/get/parameters`);
    },
    "neutral",
    "It is the same parameter.",
  ),
  real(
    "a path parameter is renamed",
    "training",
    (draft) => {
      const [old, now] = ["/v1/preview/models/{model_id}", "/v1/preview/models/{id}"];
      const paths = draft.object("/paths");
      paths[now] = paths[old] ?? {};
      delete paths[old];
      draft.set("models.delete/parameters", [{ name: "id", in: "path", required: true, schema: { type: "string" } }]);
    },
    "breaking for source",
    "URLs stay the same; calls by path use the name.",
  ),
  real(
    "the name of a header parameter is written in another case",
    "training",
    (draft) => draft.set("/components/parameters/IdempotencyKey/name", "idempotency-key"),
    "neutral or additive",
    "Header names are case-insensitive.",
  ),
  between(
    "the encoding of a part of a body changes",
    { operation: { requestBody: form({ a: { contentType: "text/plain" } }) } },
    { operation: { requestBody: form({ a: { contentType: "application/json" } }) } },
    "breaking",
    "The same value is written differently.",
  ),
];

function form(encoding: Json): Record<string, Json> {
  return { content: { "multipart/form-data": { schema: { type: "object", properties: { a: {} } }, encoding } } };
}
