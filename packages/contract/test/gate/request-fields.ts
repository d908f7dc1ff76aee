import { type Row, real, rowsOf } from "./row.ts";

/** Fields of what an operation accepts. */
export const requestFields: readonly Row[] = [
  ...rowsOf(`
training: a list may be empty | additive | Accepted values stay accepted.
  set ChatCompletionRequest/properties/messages/minItems 0
training: a field becomes required | breaking | Requests without it are rejected.
  add CreateModelRequest/required entity
training: a field becomes write-only | additive or neutral | It was only sent before.
  set CreateModelRequest/properties/base_model/writeOnly true
auxiliary: 'additionalProperties: true' is removed | neutral | Objects are open by default.
  remove HardwareOption/properties/specs/additionalProperties
training: a pattern for the names of entries is added | breaking | A value that was accepted is rejected.
  set Trajectory/properties/metadata/propertyNames {pattern: "^[a-z]+$"}
sent: the schema of an entry depends on its name | breaking | A value that was accepted is rejected.
  {type: object, additionalProperties: true}
  → {type: object, additionalProperties: true, patternProperties: {^n_: {type: number}}}
auxiliary: a field requires another one | breaking | A value that was accepted is rejected.
  set FeedbackStatsRequest/dependentRequired {end: [granularity]}
training: a schema may contain itself | additive | It is optional.
  set History/properties/earlier {$ref: "#/components/schemas/History"}
training: the nested fields of a message change their types | breaking | A value that was accepted is rejected.
  set TextPart/properties/text/type integer
  set RefusalPart/properties/refusal/type integer
training: the maximum length of a list is lowered | breaking | A value that was accepted is rejected.
  set LogRequest/properties/trajectory_groups/maxItems 10
sent: the items of a tuple are swapped | breaking | A value that was accepted is rejected.
  {type: array, prefixItems: [{type: string}, {type: number}]}
  → {type: array, prefixItems: [{type: number}, {type: string}]}
sent: an object is closed by another keyword | neutral | The meaning is the same.
  {type: object, properties: {a: {}}, additionalProperties: false}
  → {type: object, properties: {a: {}}, unevaluatedProperties: false}
sent: a description is added beside a reference | neutral | The meaning is the same.
  {$ref: "#/components/schemas/Part"} → {allOf: [{$ref: "#/components/schemas/Part"}, {description: A part.}]}
sent: a field of a part of 'allOf' becomes required | breaking | Requests without it are rejected.
  {allOf: [{type: object, properties: {a: {}}}, {properties: {b: {}}}]}
  → {allOf: [{type: object, properties: {a: {}}}, {properties: {b: {}}}], required: [a]}
sent: a required field becomes read-only | breaking | Calls that send it lose its effect.
  {type: object, required: [a], properties: {a: {type: string}, b: {}}}
  → {type: object, required: [a], properties: {a: {type: string, readOnly: true}, b: {}}}
sent: a read-only field is removed | neutral | It was never sent.
  {type: object, properties: {a: {type: string, readOnly: true}, b: {}}} → {type: object, properties: {b: {}}}
sent and read: a required read-only field is added | additive or neutral | It is never sent, and nobody read it before.
  {type: object, properties: {a: {}}}
  → {type: object, required: [id], properties: {a: {}, id: {type: string, readOnly: true}}}
sent and read: a read-only field becomes required | additive or neutral | It is never sent, and always read now.
  {type: object, properties: {a: {type: string, readOnly: true}, b: {}}}
  → {type: object, required: [a], properties: {a: {type: string, readOnly: true}, b: {}}}
sent and read: a write-only field becomes required | breaking | Requests without it are rejected.
  {type: object, properties: {a: {type: string, writeOnly: true}}}
  → {type: object, required: [a], properties: {a: {type: string, writeOnly: true}}}
`),
  real(
    "a required field of a shared schema becomes read-only",
    "training",
    (draft) => {
      draft.set("Choice/properties/plumage", { type: "string", readOnly: true });
      draft.list("Choice/required").push("plumage");
    },
    "additive or neutral",
    "It is never sent, and nobody read it before.",
  ),
  real(
    "the order of properties changes",
    "training",
    (draft) => {
      draft.set("Model/properties", Object.fromEntries(Object.entries(draft.object("Model/properties")).toReversed()));
    },
    "neutral",
    "The order of keys has no meaning.",
  ),
  real(
    "properties that no part of `allOf` declares are rejected",
    "training",
    (draft) => draft.set("CreateModelRequest/unevaluatedProperties", false),
    "breaking",
    "Requests with other properties are rejected.",
  ),
];
