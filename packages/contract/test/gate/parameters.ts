import { type Row, rowsOf } from "./row.ts";

/** Parameters, and how they and bodies are written. */
export const parameters: readonly Row[] = [
  ...rowsOf(`
operation: a parameter of the query may no longer be null | breaking for source | A request has no null: it is left out.
  {parameters: [{in: query, name: q, schema: {type: [string, "null"]}}], responses: {"204": {description: Done.}}}
  → {parameters: [{in: query, name: q, schema: {type: string}}], responses: {"204": {description: Done.}}}
training: the example of a parameter changes | neutral | Nothing that is sent or received changes.
  set /components/parameters/Limit/example 50
training: a required query parameter is added | breaking | Calls without it are rejected.
  add trainingJobs.events.list/parameters {name: from, in: query, required: true, schema: {type: string}}
training: an optional query parameter is added to others | additive | It is optional.
  add models.checkpoints.list/parameters {name: from, in: query, schema: {type: string}}
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
training: a media type of the body is added | additive | Accepted values stay accepted.
  set models.create/requestBody/content/multipart~1form-data {schema: {type: object}}
operation: the encoding of a part of a body changes | breaking | The same value is written differently.
  {requestBody: {content: {"multipart/form-data": {schema: {type: object, properties: {a: {}}},
    encoding: {a: {contentType: text/plain}}}}}}
  → {requestBody: {content: {"multipart/form-data": {schema: {type: object, properties: {a: {}}},
    encoding: {a: {contentType: application/json}}}}}}
training: a parameter moves from the operation to the path | neutral | It is the same parameter.
  rename trainingJobs.get/parameters moved
  copy trainingJobs.get/moved /paths/~1v1~1preview~1training-jobs~1{training_job_id}/parameters
  remove trainingJobs.get/moved
training: a path parameter is renamed | breaking for source | URLs stay the same; calls by path use the name.
  rename /paths/~1v1~1preview~1models~1{model_id} /v1/preview/models/{id}
  set models.delete/parameters [{name: id, in: path, required: true, schema: {type: string}}]
training: the name of a header parameter is written in another case
  | neutral or additive | Header names are case-insensitive.
  set /components/parameters/IdempotencyKey/name idempotency-key
`),
];
