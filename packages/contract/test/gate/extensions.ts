import type { JsonObject } from "../../src/json.ts";
import { type Row, between, real } from "./row.ts";

const alias = "/paths/~1v1~1chat~1completions~1";

/** What the `x-` keys say about calling, secrets and promises. */
export const extensions: readonly Row[] = [
  real(
    "`x-resend` permits a creation to be retried without a key",
    "training",
    (draft) => draft.set("models.create/x-resend", "always"),
    "warning or breaking",
    "It may be performed twice.",
  ),
  real(
    "`x-resend` is removed from a read",
    "training",
    (draft) => draft.remove("models.checkpoints.list/x-resend"),
    "warning or breaking",
    "Only its method says now that it may be retried.",
  ),
  real(
    "`x-resend` permits a read to be retried",
    "training",
    (draft) => draft.set("health.systemCheck/x-resend", "always"),
    "additive or neutral",
    "Calls that failed may now succeed.",
  ),
  real(
    "`x-timeout` is raised",
    "training",
    (draft) => draft.set("models.log/x-timeout", 900),
    "additive or neutral",
    "Slower responses arrive.",
  ),
  real(
    "`x-timeout` is lowered",
    "training",
    (draft) => draft.set("models.log/x-timeout", 30),
    "breaking or warning",
    "Calls that succeeded may time out.",
  ),
  real(
    "`x-pagination` is removed",
    "training",
    (draft) => draft.remove("models.checkpoints.list/x-pagination"),
    "breaking",
    "The method returns something else.",
  ),
  real(
    "`fold` of `x-stream` is removed",
    "training",
    (draft) => {
      draft.remove("chat.completions.create/x-stream/fold");
      draft.remove(`${alias}/post/x-stream/fold`);
    },
    "breaking",
    "The client no longer returns the accumulated response.",
  ),
  real(
    "`x-client-option` changes",
    "inference",
    (draft) => draft.set("/components/parameters/CompatProject/x-client-option", "team"),
    "breaking",
    "The client no longer reads it from the old option.",
  ),
  real(
    "`x-sensitive` is removed",
    "training",
    (draft) => draft.remove("TextPart/properties/text/x-sensitive"),
    "warning",
    "It may be logged and shown now.",
  ),
  between(
    "`x-safe` is removed",
    { operation: { "x-safe": true } },
    { operation: {} },
    "warning",
    "A call that only read may now change something.",
  ),
  real(
    "`x-sensitive` is added",
    "training",
    (draft) => draft.set("Model/properties/name/x-sensitive", true),
    "neutral",
    "It is no longer shown.",
  ),
  real(
    "the basis of a fact becomes stronger",
    "training",
    (draft) => draft.set("/components/parameters/IdempotencyKey/x-basis", "interface"),
    "neutral",
    "The fact does not change.",
  ),
  real(
    "the basis of a fact becomes weaker",
    "training",
    (draft) => draft.set("/components/parameters/ModelId/x-basis", "proposed"),
    "warning",
    "A promise becomes weaker.",
  ),
  real(
    "a rule is added",
    "training",
    (draft) => draft.set("models.create/x-rules", [rule("Names are unique.")]),
    "neutral or additive",
    "The contract promises more.",
  ),
  between(
    "a rule is removed",
    { operation: { "x-rules": [rule("Names are unique."), rule("Steps are never used twice.")] } },
    { operation: { "x-rules": [rule("Names are unique.")] } },
    "warning",
    "Callers may have relied on it.",
  ),
  between(
    "the text of a rule changes",
    { operation: { "x-rules": [rule("Names are unique in a project.")] } },
    { operation: { "x-rules": [rule("Names are unique within a project.")] } },
    "warning",
    "Only a person sees whether the meaning changed.",
  ),
  between(
    "a rule gets another id",
    { operation: { "x-rules": [{ ...rule("Names are unique."), id: "unique" }] } },
    { operation: { "x-rules": [rule("Names are unique.")] } },
    "warning",
    "A removed id is a removed rule.",
  ),
  between(
    "the rules of an older document get ids",
    { operation: { "x-rules": [{ basis: "proposed", text: "Names are unique." }] } },
    { operation: { "x-rules": [rule("Names are unique.")] } },
    "neutral",
    "The rule is the same.",
  ),
  between(
    "the basis of a rule becomes weaker",
    { operation: { "x-rules": [rule("Names are unique.", "interface")] } },
    { operation: { "x-rules": [rule("Names are unique.")] } },
    "warning",
    "A promise becomes weaker.",
  ),
  between(
    "`fold` is added to `x-stream`",
    { operation: { "x-stream": { toggle: "stream", end: "[DONE]" } } },
    { operation: { "x-stream": { toggle: "stream", end: "[DONE]", fold: "chat" } } },
    "additive",
    "The client returns the accumulated response, too.",
  ),
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
  between(
    "a property whose name begins with `x-` is removed",
    { answer: { properties: { "x-note": { type: "string" } } } },
    { answer: { properties: {} } },
    "breaking",
    "It is a name, not a key: callers that read it get nothing.",
  ),
  between(
    "a header whose name begins with `x-` is removed",
    { operation: { responses: { "200": { description: "Done.", headers: { "x-note": {} } } } } },
    { operation: { responses: { "200": { description: "Done.", headers: {} } } } },
    "breaking",
    "It is a name, not a key: callers that read it get nothing.",
  ),
  between(
    "a security scheme whose name begins with `x-` is required",
    { operation: { security: [{}] } },
    { operation: { security: [{ "x-key": [] }] } },
    "breaking",
    "It is a name, not a key: calls without the credential are now refused.",
  ),
  between(
    "a value with a member that begins with `x-` is the new default",
    { request: { default: { "x-note": 1 } } },
    { request: { default: { "x-note": 2 } } },
    "breaking",
    "A default is data.",
  ),
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

function rule(text: string, basis: string = "proposed"): { id: string; basis: string; text: string } {
  // The last word is the same in both versions of a rule that is reworded.
  return { id: text.slice(0, 5).toLowerCase(), basis, text };
}
