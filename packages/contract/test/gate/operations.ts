import type { Json } from "../../src/json.ts";
import { type Row, between, real } from "./row.ts";

const health = "/paths/~1v1~1health";
const alias = "/paths/~1v1~1chat~1completions~1";

/** Operations, parameters, credentials, addresses, and what the contract says of calling. */
export const operations: readonly Row[] = [
  real("an operation goes", "training", (draft) => draft.remove("models.delete"), "breaking", "Calls end with 404."),
  real(
    "an operation has another path",
    "training",
    (draft) => {
      draft.set("/paths/~1v1~1healthz", draft.get(health));
      draft.remove(health);
    },
    "breaking",
    "Calls to the old address end with 404.",
  ),
  real(
    "all operations have another version in their path",
    "inference",
    (draft) => {
      const paths = draft.object("/paths");
      for (const [path, item] of Object.entries(paths)) {
        delete paths[path];
        paths[`/next${path}`] = item;
      }
    },
    "breaking",
    "Calls to the old address end with 404.",
  ),
  real(
    "an operation has another method",
    "training",
    (draft) => {
      const path = draft.object("/paths/~1v1~1preview~1models");
      path["put"] = path["post"] ?? {};
      delete path["post"];
    },
    "breaking",
    "Calls by the old method end with 405.",
  ),
  real(
    "two operations swap their paths",
    "training",
    (draft) => {
      const paths = draft.object("/paths");
      const [sft, rl] = ["/v1/preview/sft-training-jobs", "/v1/preview/training-jobs"].map((path) => paths[path] ?? {});
      Object.assign(paths, { "/v1/preview/sft-training-jobs": rl, "/v1/preview/training-jobs": sft });
    },
    "breaking",
    "Each path does what the other did.",
  ),
  real(
    "an operation is deprecated",
    "training",
    (draft) => draft.set("health.systemCheck/deprecated", true),
    "additive or neutral",
    "It still works.",
  ),
  real(
    "a field of an answer is deprecated",
    "training",
    (draft) => draft.set("Model/properties/run_id/deprecated", true),
    "additive or neutral",
    "It still works.",
  ),
  real(
    "an operation has another tag",
    "training",
    (draft) => draft.list("models.create/tags").push("more"),
    "neutral",
    "It sorts the reference.",
  ),
  real(
    "an operation has another id",
    "training",
    (draft) => draft.set("models.create/operationId", "create"),
    "breaking for source",
    "Other generators name methods by it.",
  ),
  real(
    "a method has another name",
    "training",
    (draft) => draft.set("models.delete/x-client-method", "models.erase"),
    "breaking for source",
    "The client has it no longer under its old name.",
  ),
  real(
    "words change",
    "training",
    (draft) => draft.set("Model/description", "Other words."),
    "neutral",
    "Nothing that is sent or read changes.",
  ),
  real(
    "an example changes",
    "training",
    (draft) => draft.set("/components/parameters/ModelId/example", "another"),
    "neutral",
    "Nothing that is sent or read changes.",
  ),
  real(
    "the example of a parameter changes",
    "training",
    (draft) => draft.set("/components/parameters/Limit/example", 50),
    "neutral",
    "Nothing that is sent or read changes.",
  ),
  real(
    "the language has a newer patch",
    "training",
    (draft) => draft.set("/openapi", "3.1.1"),
    "neutral",
    "It is read by the same rules.",
  ),
  real(
    "a webhook comes",
    "training",
    (draft) => draft.set("/webhooks", { ended: { post: { responses: { "200": { description: "Taken." } } } } }),
    "additive or neutral",
    "It is new, so no program handles it yet.",
  ),
  real(
    "a callback comes",
    "training",
    (draft) =>
      draft.set("trainingJobs.createRl/callbacks", { ended: { "{$request.body#/url}": { post: { responses: {} } } } }),
    "additive or neutral",
    "Only callers that request the callback receive it.",
  ),
  real(
    "a credential is needed",
    "training",
    (draft) => draft.remove("health.check/security"),
    "breaking",
    "Calls without it are refused.",
  ),
  real(
    "no credential is needed",
    "training",
    (draft) => draft.set("trainingJobs.get/security", []),
    "additive",
    "Every credential that was accepted is still accepted.",
  ),
  real(
    "the credentials of all are said for each",
    "training",
    (draft) => {
      for (const method of ["models.create", "models.log"]) draft.set(`${method}/security`, [{ apiKey: [] }]);
    },
    "neutral",
    "It says the same.",
  ),
  real(
    "ways in stand in another order",
    "auxiliary",
    (draft) => draft.list("feedback.stats/security").reverse(),
    "neutral",
    "The order says nothing.",
  ),
  real(
    "a scheme has another name here",
    "auxiliary",
    (draft) => {
      const schemes = draft.object("/components/securitySchemes");
      schemes["token"] = schemes["accessToken"] ?? {};
      delete schemes["accessToken"];
      draft.set("hardware.list/security", [{ token: [] }]);
    },
    "neutral or warning or breaking",
    "The credential is sent as before.",
  ),
  between(
    "a credential goes in a header of another name",
    {
      root: {
        security: [{ key: [] }],
        components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
      },
      operation: { requestBody: { content: {} }, responses: { "200": { description: "Done." } } },
    },
    {
      root: {
        security: [{ key: [] }],
        components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Token" } } },
      },
      operation: { requestBody: { content: {} }, responses: { "200": { description: "Done." } } },
    },
    "breaking",
    "The credential is sent in another way.",
  ),

  real(
    "a required query comes",
    "training",
    (draft) =>
      draft
        .list("trainingJobs.events.list/parameters")
        .push({ name: "from", in: "query", required: true, schema: { type: "string" } }),
    "breaking",
    "Calls without it are refused.",
  ),
  real(
    "an optional query comes beside others",
    "training",
    (draft) =>
      draft.list("models.checkpoints.list/parameters").push({ name: "from", in: "query", schema: { type: "string" } }),
    "additive",
    "It is optional.",
  ),
  real(
    "a first optional query comes",
    "training",
    (draft) =>
      draft.list("trainingJobs.get/parameters").push({ name: "verbose", in: "query", schema: { type: "boolean" } }),
    "additive",
    "It stands among the options of a call, which stay where they are.",
  ),
  real(
    "an optional query goes",
    "training",
    (draft) => draft.remove("models.checkpoints.list/parameters/3"),
    "breaking or warning",
    "Callers that send it no longer get its effect.",
  ),
  real(
    "a query's values get fewer",
    "training",
    (draft) => draft.take("/components/parameters/StepOrder/schema/enum", "desc"),
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a query's limit falls",
    "training",
    (draft) => draft.set("/components/parameters/Limit/schema/maximum", 50),
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a query has another name",
    "training",
    (draft) => draft.set("/components/parameters/Limit/name", "page_size"),
    "breaking",
    "Who sends it under its old name gets something else.",
  ),
  real(
    "a query becomes a header",
    "training",
    (draft) => draft.set("/components/parameters/StepOrder/in", "header"),
    "breaking",
    "It is sent at another place.",
  ),
  real(
    "a parameter stands on its path",
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
    "a parameter of the path has another name",
    "training",
    (draft) => {
      const [old, now] = ["/v1/preview/models/{model_id}", "/v1/preview/models/{id}"];
      const paths = draft.object("/paths");
      paths[now] = paths[old] ?? {};
      delete paths[old];
      draft.set("models.delete/parameters", [{ name: "id", in: "path", required: true, schema: { type: "string" } }]);
    },
    "breaking for source",
    "Addresses are the same; calls by path name it.",
  ),
  real(
    "a header comes",
    "training",
    (draft) =>
      draft.list("trainingJobs.get/parameters").push({ name: "X-Trace", in: "header", schema: { type: "string" } }),
    "additive",
    "It is optional.",
  ),
  real(
    "a header's name is written otherwise",
    "training",
    (draft) => draft.set("/components/parameters/IdempotencyKey/name", "idempotency-key"),
    "neutral or additive",
    "Names of headers have no case.",
  ),
  real(
    "a header may be empty",
    "training",
    (draft) => draft.set("/components/parameters/IdempotencyKey/schema/minLength", 0),
    "additive",
    "Everything that was accepted still is.",
  ),
  real(
    "a default of the language is written out: explode",
    "training",
    (draft) => draft.set("/components/parameters/Limit/explode", true),
    "neutral",
    "It held before.",
  ),
  real(
    "a default of the language is written out: style",
    "training",
    (draft) => draft.set("/components/parameters/ModelId/style", "simple"),
    "neutral",
    "It held before.",
  ),
  real(
    "a default of the language is written out: allowEmptyValue",
    "training",
    (draft) => draft.set("/components/parameters/After/allowEmptyValue", false),
    "neutral",
    "It held before.",
  ),
  real(
    "a default of the language is written out: required",
    "training",
    (draft) => draft.set("/components/parameters/After/required", false),
    "neutral",
    "It held before.",
  ),
  real(
    "a text is not exploded",
    "training",
    (draft) => draft.set("/components/parameters/After/explode", false),
    "neutral",
    "One value is written in one way.",
  ),
  real(
    "a value is written as JSON",
    "auxiliary",
    (draft) => {
      draft.set("hardware.list/parameters/0/content", { "application/json": { schema: { type: "string" } } });
      draft.remove("hardware.list/parameters/0/schema");
    },
    "breaking",
    "Within a media type a text has quotes.",
  ),
  real(
    "a query is written in another style",
    "auxiliary",
    (draft) => draft.set("hardware.list/parameters/0/style", "spaceDelimited"),
    "breaking",
    "It is written in another way.",
  ),
  real(
    "another media type is taken",
    "training",
    (draft) => draft.set("models.create/requestBody/content/multipart~1form-data", { schema: { type: "object" } }),
    "additive",
    "Everything that was accepted still is.",
  ),

  real(
    "an address changes",
    "inference",
    (draft) => draft.set("/servers/0/url", "http://127.0.0.1:4999"),
    "breaking or warning",
    "Who took it from the document sends elsewhere.",
  ),
  real(
    "a variable of an address has other words",
    "training",
    (draft) => draft.set("/servers/1/variables/base_url/description", "Where it is."),
    "neutral",
    "The address stays.",
  ),
  real(
    "a variable of an address has another default",
    "training",
    (draft) => draft.set("/servers/1/variables/base_url/default", "http://127.0.0.1:1"),
    "breaking or warning",
    "Who took it from the document sends elsewhere.",
  ),
  real(
    "an operation has an address of its own",
    "training",
    (draft) => draft.set("models.log/servers", [{ url: "http://127.0.0.1:4099" }]),
    "breaking",
    "It replaces those of the document.",
  ),
  real(
    "an operation names the addresses of the document",
    "training",
    (draft) => draft.set("models.log/servers", draft.get("/servers")),
    "neutral",
    "It says the same.",
  ),
  real(
    "a path has an address of its own",
    "training",
    (draft) => draft.set(`${health}/servers`, [{ url: "http://127.0.0.1:4099" }]),
    "breaking",
    "It replaces those of the document.",
  ),
  real(
    "addresses are swapped",
    "training",
    (draft) => draft.list("/servers").reverse(),
    "breaking",
    "Tools take the first.",
  ),
  real(
    "an address comes",
    "training",
    (draft) => draft.list("/servers").push({ url: "http://127.0.0.1:4020" }),
    "additive",
    "Those in use stay.",
  ),

  real(
    "a creation may be sent again without a key",
    "training",
    (draft) => draft.set("models.create/x-resend", "always"),
    "warning or breaking",
    "It may be carried out twice.",
  ),
  real(
    "a reading may be sent again",
    "training",
    (draft) => draft.set("health.systemCheck/x-resend", "always"),
    "additive or neutral",
    "Calls that failed may now succeed.",
  ),
  real(
    "an attempt may take longer",
    "training",
    (draft) => draft.set("models.log/x-timeout", 900),
    "additive or neutral",
    "Slower answers arrive.",
  ),
  real(
    "an attempt may take less",
    "training",
    (draft) => draft.set("models.log/x-timeout", 30),
    "breaking or warning",
    "Calls that were answered in time time out.",
  ),
  real(
    "pages are no longer followed",
    "training",
    (draft) => draft.remove("models.checkpoints.list/x-pagination"),
    "breaking",
    "The method gives something else.",
  ),
  real(
    "a stream is no longer added up",
    "training",
    (draft) => {
      draft.remove("chat.completions.create/x-stream/fold");
      draft.remove(`${alias}/post/x-stream/fold`);
    },
    "breaking",
    "The client no longer gives the whole.",
  ),
  real(
    "an option has another name",
    "inference",
    (draft) => draft.set("/components/parameters/CompatProject/x-client-option", "team"),
    "breaking",
    "The client no longer takes it from its old option.",
  ),
  real(
    "a secret is no longer one",
    "training",
    (draft) => draft.remove("TextPart/properties/text/x-sensitive"),
    "warning",
    "It may be logged and shown now.",
  ),
  between(
    "an operation that changed nothing may change something",
    { operation: { "x-safe": true } },
    { operation: {} },
    "warning",
    "Whoever called it to look may change something now.",
  ),
  real(
    "a field becomes a secret",
    "training",
    (draft) => draft.set("Model/properties/name/x-sensitive", true),
    "neutral",
    "It is shown no more.",
  ),
  real(
    "a fact becomes certain",
    "training",
    (draft) => draft.set("/components/parameters/IdempotencyKey/x-basis", "interface"),
    "neutral",
    "The fact stays.",
  ),
  real(
    "a fact becomes less certain",
    "training",
    (draft) => draft.set("/components/parameters/ModelId/x-basis", "proposed"),
    "warning",
    "A promise is taken back.",
  ),
  real(
    "a sentence may be relied on",
    "training",
    (draft) => draft.set("models.create/x-rules", [rule("Names are unique.")]),
    "neutral or additive",
    "One promise more.",
  ),

  between(
    "a sentence may be relied on no longer",
    { operation: { "x-rules": [rule("Names are unique."), rule("Steps are never used twice.")] } },
    { operation: { "x-rules": [rule("Names are unique.")] } },
    "warning",
    "Callers may have relied on it.",
  ),
  between(
    "a sentence is said in other words",
    { operation: { "x-rules": [rule("Names are unique in a project.")] } },
    { operation: { "x-rules": [rule("Names are unique within a project.")] } },
    "neutral or warning",
    "It says the same.",
  ),
  between(
    "a sentence becomes less certain",
    { operation: { "x-rules": [rule("Names are unique.", "interface")] } },
    { operation: { "x-rules": [rule("Names are unique.")] } },
    "warning",
    "A promise is taken back.",
  ),
  between(
    "a webhook goes",
    { root: { webhooks: { ended: { post: { responses: {} } } } } },
    {},
    "breaking",
    "Who waits for it waits in vain.",
  ),
  between(
    "a webhook's body loses a field",
    { root: hook({ type: "object", properties: { a: {}, b: {} } }) },
    { root: hook({ type: "object", properties: { a: {} } }) },
    "breaking",
    "Callers that read it get nothing.",
  ),
  between(
    "a webhook's body has a required field more",
    { root: hook({ type: "object", properties: { a: {} } }) },
    { root: hook({ type: "object", required: ["b"], properties: { a: {}, b: {} } }) },
    "additive",
    "It is new, so no program reads it yet.",
  ),
  between(
    "a stream's events add up",
    { operation: { "x-stream": { toggle: "stream", end: "[DONE]" } } },
    { operation: { "x-stream": { toggle: "stream", end: "[DONE]", fold: "chat" } } },
    "additive",
    "The client gains the whole answer.",
  ),
  between(
    "a callback goes",
    { operation: { callbacks: { ended: { "{$url}": { post: { responses: {} } } } } } },
    {},
    "breaking",
    "Who waits for it waits in vain.",
  ),
  between(
    "a part of a body is written otherwise",
    { operation: { requestBody: form({ a: { contentType: "text/plain" } }) } },
    { operation: { requestBody: form({ a: { contentType: "application/json" } }) } },
    "breaking",
    "It is written in another way.",
  ),
  between(
    "a document names the dialect that it is in",
    {},
    { root: { jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema" } },
    "neutral",
    "It is read by the same rules.",
  ),
];

function rule(text: string, basis: string = "proposed"): { basis: string; text: string } {
  return { basis, text };
}

function hook(schema: Json): { webhooks: Record<string, Json> } {
  const requestBody = { content: { "application/json": { schema } } };
  return { webhooks: { ended: { post: { requestBody, responses: {} } } } };
}

function form(encoding: Json): Record<string, Json> {
  return { content: { "multipart/form-data": { schema: { type: "object", properties: { a: {} } }, encoding } } };
}
