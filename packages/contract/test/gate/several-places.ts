import type { Json, JsonObject } from "../../src/json.ts";
import type { Draft } from "../draft.ts";
import { type Judgment, type Row, between, read, real, rowsOf, sent } from "./row.ts";

/** Renames a property, with its entry in `required`. */
function rename(draft: Draft, schema: string, from: string, to: string): void {
  const properties = draft.object(`${schema}/properties`);
  properties[to] = properties[from] ?? {};
  delete properties[from];
  const { required } = draft.object(schema);
  if (Array.isArray(required) && required.includes(from)) required.splice(required.indexOf(from), 1, to);
}

type Edit = readonly [
  name: string,
  service: "training" | "inference" | "auxiliary",
  edit: (draft: Draft) => void,
  judgment: Judgment,
  why: string,
];

const edits: readonly Edit[] = [
  [
    "a field of the items of a stream becomes optional",
    "training",
    (draft) => draft.take("ChatCompletionChunk/required", "id"),
    "breaking",
    "Callers that read it may get nothing.",
  ],
  [
    "the toggle of a stream is renamed, with its property",
    "inference",
    (draft) => {
      rename(draft, "ChatCompletionRequest", "stream", "streamed");
      draft.set("chat.completions.create/x-stream/toggle", "streamed");
    },
    "breaking",
    "The old name no longer asks for a stream.",
  ],
  [
    "a key of pages is renamed, with its property",
    "training",
    (draft) => {
      rename(draft, "CheckpointPage", "has_more", "more");
      draft.set("models.checkpoints.list/x-pagination/more", "more");
    },
    "breaking",
    "Callers read the old name.",
  ],
  [
    "a field of a schema that is sent and read becomes required",
    "training",
    (draft) => draft.list("Choice/required").push("logprobs"),
    "breaking",
    "Requests without it were accepted.",
  ],
  [
    "a response and a request rename the same field",
    "training",
    (draft) => {
      rename(draft, "Model", "name", "title");
      rename(draft, "CreateModelRequest", "name", "title");
    },
    "breaking",
    "Both old names lose their effect.",
  ],
  [
    "one limit of a request is loosened, and another one is tightened",
    "training",
    (draft) => {
      draft.set("ChatCompletionRequest/properties/messages/minItems", 0);
      draft.set("LogRequest/properties/split/maxLength", 5);
    },
    "breaking",
    "Longer names were accepted.",
  ],
  [
    "a list becomes a map of the same values",
    "training",
    (draft) => {
      const items = draft.get("CheckpointPage/properties/data/items");
      draft.set("CheckpointPage/properties/data", { type: "object", additionalProperties: items });
    },
    "breaking",
    "Callers go through a list.",
  ],
  [
    "a response of any JSON becomes an object",
    "training",
    (draft) => draft.set("models.log/responses/200/content/application~1json/schema", { type: "object" }),
    "additive or neutral",
    "It has fewer values.",
  ],
  [
    "a time becomes a number of seconds",
    "training",
    (draft) => draft.set("TrainingJob/properties/training_start", { type: ["integer", "null"] }),
    "breaking",
    "Callers read a text.",
  ],
  [
    "the variants of a union change places, with their mapping",
    "training",
    (draft) => draft.list("Message/oneOf").reverse(),
    "neutral",
    "The meaning is the same.",
  ],
  [
    "a header of the responses is no longer declared",
    "training",
    (draft) => draft.remove("models.log/responses/200/headers/x-request-id"),
    "breaking",
    "Callers that read it get nothing.",
  ],
];

const extensible = (...values: string[]): JsonObject => ({ enum: values, "x-extensible": true });
const tagged = (key: string): JsonObject => ({
  oneOf: ["a", "b"].map((name) => ({ type: "object", required: [key], properties: { [key]: { const: name } } })),
  discriminator: { propertyName: key },
});
const order = {
  type: "object",
  properties: { id: { type: "string" }, order: { enum: ["up", "down"], default: "down" } },
};
const upward = { ...order, properties: { ...order.properties, order: { enum: ["up"], default: "up" } } };

export const severalPlaces: readonly Row[] = [
  ...edits.map((edit) => real(...edit)),
  ...rowsOf(`
read: a value of an extensible enumeration is renamed | warning or breaking | Code that handles it never runs.
  {enum: [a, b], x-extensible: true} → {enum: [a, c], x-extensible: true}
sent and read: a value is removed from an extensible enumeration | breaking | It was accepted.
  {enum: [a, b], x-extensible: true} → {enum: [a], x-extensible: true}
sent: a property moves into a part of 'allOf' and becomes required | breaking | Requests without it were accepted.
  {type: object, properties: {id: {type: string}}}
  → {allOf: [{type: object}, {required: [id], properties: {id: {type: string}}}]}
read: a property moves out of 'allOf' | neutral or additive | The meaning is the same.
  {allOf: [{type: object}, {required: [id], properties: {id: {type: string}}}]}
  → {type: object, properties: {id: {type: string}}, required: [id]}
`),
  read(
    "an extensible enumeration is closed and gets a value",
    extensible("a"),
    { enum: ["a", "b"] },
    "additive or warning or breaking",
    "Readers ignored values that they did not know.",
  ),
  sent("a value is removed, and the default moves away from it", order, upward, "breaking", "The value was accepted."),
  read(
    "the tag of a union is renamed, with its constants",
    tagged("type"),
    tagged("kind"),
    "breaking",
    "Callers read the old name.",
  ),
  between(
    "a path is another name of the operation",
    alias(),
    alias("/v2/run"),
    "additive",
    "It is new, so no program calls it yet.",
  ),
];

/** A document with the operation at these paths, too. */
function alias(...paths: string[]): { root: JsonObject } {
  const operation = { responses: { "200": { description: "Done." } } };
  const run = { post: { ...operation, operationId: "run", "x-client-method": "runs.start" } };
  const others = paths.map((path, index): [string, Json] => [
    path,
    { post: { ...operation, operationId: `run${index}`, "x-alias-of": "runs.start" } },
  ]);
  return { root: { paths: Object.fromEntries([["/v1/run", run], ...others]), components: {} } };
}
