import { type Json } from "@trainyard/document";
import { type Row, real, rowsOf } from "./row.ts";

/** Operations, webhooks, callbacks, and their documentation. */
export const operations: readonly Row[] = [
  ...rowsOf(
    `
training: an operation is removed | breaking | Calls return 404.
  remove models.delete
training: a field of a response is deprecated | additive or neutral | It still works.
  set Model/properties/run_id/deprecated true
training: the id of an operation changes | breaking for source | Other generators name their methods by it.
  set models.create/operationId create
training: the client method of an operation is renamed | breaking for source | The client no longer has the old name.
  set models.delete/x-client-method models.erase
training: a description changes | neutral | Nothing that is sent or received changes.
  set Model/description Other words.
training: an example changes | neutral | Nothing that is sent or received changes.
  set /components/parameters/ModelId/example another
training: the patch version of OpenAPI changes | neutral | The same rules apply.
  set /openapi 3.1.1
training: a webhook is added | additive or neutral | It is new, so no program handles it yet.
  set /webhooks {ended: {post: {responses: {"200": {description: Taken.}}}}}
training: a callback is added | additive or neutral | Only callers that request the callback receive it.
  set trainingJobs.createRl/callbacks {ended: {"{$request.body#/url}": {post: {responses: {}}}}}
document: a webhook is removed | breaking | Code that waits for it never runs.
  {webhooks: {ended: {post: {responses: {}}}}} → {}
operation: a callback is removed | breaking | Code that waits for it never runs.
  {callbacks: {ended: {"{$url}": {post: {responses: {}}}}}} → {}
document: a document names its JSON Schema dialect | neutral | The same rules apply.
  {} → {jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema"}
training: the HTTP method of an operation changes | breaking | Calls with the old method return 405.
  rename /paths/~1v1~1preview~1models/post put
item: a QUERY is removed | breaking | Calls with it return 405.
  {query: {responses: {}}} → {}
item: a method of \`additionalOperations\` is removed | breaking | Calls with it return 405.
  {COPY: {responses: {}}} → {}
item: a QUERY needs a query | breaking | Calls without it are rejected.
  {query: {responses: {}}} → {query: {parameters: [{name: q, in: query, required: true, schema: {}}], responses: {}}}
item: a QUERY is added | additive | It is new.
  {get: {responses: {}}} → {get: {responses: {}}, query: {responses: {}}}
training: two operations swap their paths | breaking | Each path does what the other one did.
  rename /paths/~1v1~1preview~1sft-training-jobs /v1/preview/other
  rename /paths/~1v1~1preview~1training-jobs /v1/preview/sft-training-jobs
  rename /paths/~1v1~1preview~1other /v1/preview/training-jobs
hook: a field is removed from the body of a webhook | breaking | Callers that read it get undefined.
  {type: object, properties: {a: {}, b: {}}} → {type: object, properties: {a: {}}}
hook: a required field is added to the body of a webhook | additive | It is new, so no program reads it yet.
  {type: object, properties: {a: {}}} → {type: object, required: [b], properties: {a: {}, b: {}}}
`,
    { hook: (schema) => ({ root: hook(schema) }), item: (item) => ({ root: { paths: { "/v1/items": item } } }) },
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
];

function hook(schema: Json): { webhooks: Record<string, Json> } {
  const requestBody = { content: { "application/json": { schema } } };
  return { webhooks: { ended: { post: { requestBody, responses: {} } } } };
}
