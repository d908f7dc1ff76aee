import type { Json } from "../../src/json.ts";
import { type Row, between, real } from "./row.ts";

const health = "/paths/~1v1~1health";

/** Operations, webhooks, callbacks, and their documentation. */
export const operations: readonly Row[] = [
  real(
    "an operation is removed",
    "training",
    (draft) => draft.remove("models.delete"),
    "breaking",
    "Calls return 404.",
  ),
  real(
    "the path of an operation changes",
    "training",
    (draft) => {
      draft.set("/paths/~1v1~1healthz", draft.get(health));
      draft.remove(health);
    },
    "breaking",
    "Calls to the old path return 404.",
  ),
  real(
    "the version in all paths changes",
    "inference",
    (draft) => {
      const paths = draft.object("/paths");
      for (const [path, item] of Object.entries(paths)) {
        delete paths[path];
        paths[`/next${path}`] = item;
      }
    },
    "breaking",
    "Calls to the old path return 404.",
  ),
  real(
    "the HTTP method of an operation changes",
    "training",
    (draft) => {
      const path = draft.object("/paths/~1v1~1preview~1models");
      path["put"] = path["post"] ?? {};
      delete path["post"];
    },
    "breaking",
    "Calls with the old method return 405.",
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
    "Each path does what the other one did.",
  ),
  real(
    "an operation is deprecated",
    "training",
    (draft) => draft.set("health.systemCheck/deprecated", true),
    "additive or neutral",
    "It still works.",
  ),
  real(
    "a field of a response is deprecated",
    "training",
    (draft) => draft.set("Model/properties/run_id/deprecated", true),
    "additive or neutral",
    "It still works.",
  ),
  real(
    "the tag of an operation changes",
    "training",
    (draft) => draft.list("models.create/tags").push("more"),
    "neutral",
    "Tags only group the reference.",
  ),
  real(
    "the id of an operation changes",
    "training",
    (draft) => draft.set("models.create/operationId", "create"),
    "breaking for source",
    "Other generators name their methods by it.",
  ),
  real(
    "the client method of an operation is renamed",
    "training",
    (draft) => draft.set("models.delete/x-client-method", "models.erase"),
    "breaking for source",
    "The client no longer has the old name.",
  ),
  real(
    "a description changes",
    "training",
    (draft) => draft.set("Model/description", "Other words."),
    "neutral",
    "Nothing that is sent or received changes.",
  ),
  real(
    "an example changes",
    "training",
    (draft) => draft.set("/components/parameters/ModelId/example", "another"),
    "neutral",
    "Nothing that is sent or received changes.",
  ),
  real(
    "the patch version of OpenAPI changes",
    "training",
    (draft) => draft.set("/openapi", "3.1.1"),
    "neutral",
    "The same rules apply.",
  ),
  real(
    "a webhook is added",
    "training",
    (draft) => draft.set("/webhooks", { ended: { post: { responses: { "200": { description: "Taken." } } } } }),
    "additive or neutral",
    "It is new, so no program handles it yet.",
  ),
  real(
    "a callback is added",
    "training",
    (draft) =>
      draft.set("trainingJobs.createRl/callbacks", { ended: { "{$request.body#/url}": { post: { responses: {} } } } }),
    "additive or neutral",
    "Only callers that request the callback receive it.",
  ),
  between(
    "a webhook is removed",
    { root: { webhooks: { ended: { post: { responses: {} } } } } },
    {},
    "breaking",
    "Code that waits for it never runs.",
  ),
  between(
    "a field is removed from the body of a webhook",
    { root: hook({ type: "object", properties: { a: {}, b: {} } }) },
    { root: hook({ type: "object", properties: { a: {} } }) },
    "breaking",
    "Callers that read it get undefined.",
  ),
  between(
    "a required field is added to the body of a webhook",
    { root: hook({ type: "object", properties: { a: {} } }) },
    { root: hook({ type: "object", required: ["b"], properties: { a: {}, b: {} } }) },
    "additive",
    "It is new, so no program reads it yet.",
  ),
  between(
    "a callback is removed",
    { operation: { callbacks: { ended: { "{$url}": { post: { responses: {} } } } } } },
    {},
    "breaking",
    "Code that waits for it never runs.",
  ),
  between(
    "a document names its JSON Schema dialect",
    {},
    { root: { jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema" } },
    "neutral",
    "The same rules apply.",
  ),
];

function hook(schema: Json): { webhooks: Record<string, Json> } {
  const requestBody = { content: { "application/json": { schema } } };
  return { webhooks: { ended: { post: { requestBody, responses: {} } } } };
}
