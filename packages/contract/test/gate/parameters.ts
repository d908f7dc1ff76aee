import type { Json } from "../../src/json.ts";
import { type Row, between, real } from "./row.ts";

/** Parameters, and how they and bodies are written. */
export const parameters: readonly Row[] = [
  real(
    "the example of a parameter changes",
    "training",
    (draft) => draft.set("/components/parameters/Limit/example", 50),
    "neutral",
    "Nothing that is sent or received changes.",
  ),
  real(
    "a required query parameter is added",
    "training",
    (draft) =>
      draft
        .list("trainingJobs.events.list/parameters")
        .push({ name: "from", in: "query", required: true, schema: { type: "string" } }),
    "breaking",
    "Calls without it are rejected.",
  ),
  real(
    "an optional query parameter is added to others",
    "training",
    (draft) =>
      draft.list("models.checkpoints.list/parameters").push({ name: "from", in: "query", schema: { type: "string" } }),
    "additive",
    "It is optional.",
  ),
  real(
    "a first optional query parameter is added",
    "training",
    (draft) =>
      draft.list("trainingJobs.get/parameters").push({ name: "verbose", in: "query", schema: { type: "boolean" } }),
    "additive",
    "It becomes one of the options of a call, whose position does not change.",
  ),
  real(
    "an optional query parameter is removed",
    "training",
    (draft) => draft.remove("models.checkpoints.list/parameters/3"),
    "breaking or warning",
    "Calls that send it lose its effect.",
  ),
  real(
    "a value of a query parameter is removed",
    "training",
    (draft) => draft.take("/components/parameters/StepOrder/schema/enum", "desc"),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "the limit of a query parameter is lowered",
    "training",
    (draft) => draft.set("/components/parameters/Limit/schema/maximum", 50),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "a query parameter is renamed",
    "training",
    (draft) => draft.set("/components/parameters/Limit/name", "page_size"),
    "breaking",
    "Calls with the old name lose its effect.",
  ),
  real(
    "a query parameter becomes a header",
    "training",
    (draft) => draft.set("/components/parameters/StepOrder/in", "header"),
    "breaking",
    "It is sent elsewhere.",
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
    "a header parameter is added",
    "training",
    (draft) =>
      draft.list("trainingJobs.get/parameters").push({ name: "X-Trace", in: "header", schema: { type: "string" } }),
    "additive",
    "It is optional.",
  ),
  real(
    "the name of a header parameter is written in another case",
    "training",
    (draft) => draft.set("/components/parameters/IdempotencyKey/name", "idempotency-key"),
    "neutral or additive",
    "Header names are case-insensitive.",
  ),
  real(
    "a header parameter may be empty",
    "training",
    (draft) => draft.set("/components/parameters/IdempotencyKey/schema/minLength", 0),
    "additive",
    "Accepted values stay accepted.",
  ),
  real(
    "a default of OpenAPI is written out: explode",
    "training",
    (draft) => draft.set("/components/parameters/Limit/explode", true),
    "neutral",
    "The default applied before.",
  ),
  real(
    "a default of OpenAPI is written out: style",
    "training",
    (draft) => draft.set("/components/parameters/ModelId/style", "simple"),
    "neutral",
    "The default applied before.",
  ),
  real(
    "a default of OpenAPI is written out: allowEmptyValue",
    "training",
    (draft) => draft.set("/components/parameters/After/allowEmptyValue", false),
    "neutral",
    "The default applied before.",
  ),
  real(
    "a default of OpenAPI is written out: required",
    "training",
    (draft) => draft.set("/components/parameters/After/required", false),
    "neutral",
    "The default applied before.",
  ),
  real(
    "a string parameter is no longer exploded",
    "training",
    (draft) => draft.set("/components/parameters/After/explode", false),
    "neutral",
    "A single value is written in the same way.",
  ),
  real(
    "a parameter is written as JSON",
    "auxiliary",
    (draft) => {
      draft.set("hardware.list/parameters/0/content", { "application/json": { schema: { type: "string" } } });
      draft.remove("hardware.list/parameters/0/schema");
    },
    "breaking",
    "As JSON, a string has quotes.",
  ),
  real(
    "a query parameter has another style",
    "auxiliary",
    (draft) => draft.set("hardware.list/parameters/0/style", "spaceDelimited"),
    "breaking",
    "The same value is written differently.",
  ),
  real(
    "a media type of the body is added",
    "training",
    (draft) => draft.set("models.create/requestBody/content/multipart~1form-data", { schema: { type: "object" } }),
    "additive",
    "Accepted values stay accepted.",
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
