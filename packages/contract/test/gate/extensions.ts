import type { JsonObject } from "../../src/json.ts";
import { type Row, between, rowsOf } from "./row.ts";

/** What the `x-` keys say about calling, secrets and promises. */
export const extensions: readonly Row[] = [
  ...rowsOf(`
training: 'x-resend' is removed from a read | warning or breaking | Only its method says now that it may be retried.
  remove models.checkpoints.list/x-resend
training: 'x-pagination' is removed | breaking for source | The method returns something else.
  remove models.checkpoints.list/x-pagination
training: 'fold' of 'x-stream' is removed | breaking for source | The client no longer returns the accumulated response.
  remove chat.completions.create/x-stream/fold
  remove /paths/~1v1~1chat~1completions~1/post/x-stream/fold
training: the basis of a fact becomes weaker | warning | A promise becomes weaker.
  set /components/parameters/ModelId/x-basis proposed
training: what to do about an error changes | neutral | Only readers see it.
  set /components/responses/ModelNotFound/x-cure Look at the id.
operation: 'x-safe' is removed | warning | A call that only read may now change something.
  {x-safe: true} → {}
operation: a rule is removed | warning | Callers may have relied on it.
  {x-rules: [{id: names, basis: proposed, text: Names are unique.}, {id: steps, basis: proposed,
    text: Steps are never used twice.}]}
  → {x-rules: [{id: names, basis: proposed, text: Names are unique.}]}
operation: the text of a rule changes | warning | Only a person sees whether the meaning changed.
  {x-rules: [{id: names, basis: proposed, text: Names are unique in a project.}]}
  → {x-rules: [{id: names, basis: proposed, text: Names are unique within a project.}]}
operation: a rule gets another id | warning | A removed id is a removed rule.
  {x-rules: [{id: unique, basis: proposed, text: Names are unique.}]}
  → {x-rules: [{id: names, basis: proposed, text: Names are unique.}]}
operation: the rules of an older document get ids | neutral | The rule is the same.
  {x-rules: [{basis: proposed, text: Names are unique.}]}
  → {x-rules: [{id: names, basis: proposed, text: Names are unique.}]}
operation: the basis of a rule becomes weaker | warning | A promise becomes weaker.
  {x-rules: [{id: names, basis: interface, text: Names are unique.}]}
  → {x-rules: [{id: names, basis: proposed, text: Names are unique.}]}
operation: 'fold' is added to 'x-stream' | additive | The client returns the accumulated response, too.
  {x-stream: {toggle: stream, end: "[DONE]"}} → {x-stream: {toggle: stream, end: "[DONE]", fold: chat}}
read: a property whose name begins with 'x-' is removed
  | breaking | It is a name, not a key: callers that read it get nothing.
  {properties: {x-note: {type: string}}} → {properties: {}}
operation: a header whose name begins with 'x-' is removed
  | breaking | It is a name, not a key: callers that read it get nothing.
  {responses: {"200": {description: Done., headers: {x-note: {}}}}}
  → {responses: {"200": {description: Done., headers: {}}}}
operation: a security scheme whose name begins with 'x-' is required
  | breaking | It is a name, not a key: calls without the credential are now refused.
  {security: [{}]} → {security: [{x-key: []}]}
sent: a value with a member that begins with 'x-' is the new default | breaking | A default is data.
  {default: {x-note: 1}} → {default: {x-note: 2}}
`),
  ...foreign("an operation", (note) => ({ operation: note })),
  ...foreign("a response", (note) => ({ operation: { responses: { "200": { description: "Done.", ...note } } } })),
  ...foreign("the default response", (note) => ({
    operation: { responses: { default: { description: "It failed.", ...note } } },
  })),
  ...foreign("a header", (note) => ({
    operation: { responses: { "200": { description: "Done.", headers: { "x-request-id": note } } } },
  })),
  ...foreign("a parameter", (note) => ({
    operation: { parameters: [{ in: "query", name: "limit", schema: { type: "integer" }, ...note }] },
  })),
  ...foreign("a schema", (note) => ({ request: note })),
  ...foreign("a property", (note) => ({ answer: { properties: { id: { type: "string", ...note } } } })),
  ...foreign("a variant without a name", (note) => ({
    answer: { oneOf: [{ type: "string", ...note }, { type: "integer" }] },
  })),
  ...foreign("a member of an `allOf`", (note) => ({
    answer: { allOf: [{ $ref: "#/components/schemas/Part" }, { description: "More.", ...note }] },
  })),
  ...foreign("a reference", (note) => ({ answer: { $ref: "#/components/schemas/Part", ...note } })),
  ...foreign("a discriminator", (note) => ({
    answer: { oneOf: [{ $ref: "#/components/schemas/Part" }], discriminator: { propertyName: "id", ...note } },
  })),
  ...foreign("a security scheme", (note) => ({
    operation: { security: [{ key: [] }] },
    root: { components: { securitySchemes: { key: { type: "http", scheme: "bearer", ...note } } } },
  })),
  ...foreign("a server", (note) => ({ root: { servers: [{ url: "https://small.example", ...note }] } })),
  ...foreign("the document", (note) => ({ root: note })),
  ...foreign("the paths", (note) => ({ root: { paths: note } })),
  ...foreign("the components", (note) => ({ root: { components: note } })),
];

/** A key that the dialect does not have is added, changed and removed. */
function foreign(place: string, small: (note: JsonObject) => Parameters<typeof between>[1]): Row[] {
  const [none, first, second] = [{}, { "x-vendor-note": { tier: 1 } }, { "x-vendor-note": { tier: 2 } }].map(small);
  const why = "Only readers notice a key that the dialect does not have.";
  return [
    between(`a foreign key of ${place} is added`, none ?? {}, first ?? {}, "neutral", why),
    between(`a foreign key of ${place} changes`, first ?? {}, second ?? {}, "neutral", why),
    between(`a foreign key of ${place} is removed`, second ?? {}, none ?? {}, "neutral", why),
  ];
}
