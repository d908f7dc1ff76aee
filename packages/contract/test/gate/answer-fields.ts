import { type Row, real, rowsOf } from "./row.ts";

/** Fields and schemas of what an operation returns. */
export const answerFields: readonly Row[] = [
  ...rowsOf(`
training: a field is removed | breaking | Callers that read it get undefined.
  remove TrainingJob/properties/training_end
training: a required field becomes optional | breaking | Callers that read it may get undefined.
  take Checkpoint/required metrics
training: a field is renamed | breaking | Callers that read the old name get undefined.
  copy Model/properties/name Model/properties/title
  remove Model/properties/name
  take Model/required name
  add Model/required title
training: a field refers to another schema | breaking | It has another content.
  set ChatCompletion/properties/usage/$ref "#/components/schemas/StreamOptions"
training: a schema is renamed | breaking for source | The client no longer exports the type under its old name.
  copy Health Wellness
  remove Health
  set health.check/responses/200/content/application~1json/schema/$ref "#/components/schemas/Wellness"
training: a schema becomes inline | breaking for source | The client no longer exports the type.
  copy Health health.check/responses/200/content/application~1json/schema
  remove Health
read: a field is added to a part of 'allOf' | additive | It is new, so no program reads it yet.
  {allOf: [{$ref: "#/components/schemas/Part"}, {type: object, properties: {a: {type: string}}}]}
  → {allOf: [{$ref: "#/components/schemas/Part"}, {type: object, properties: {a: {type: string}, b: {type: string}}}]}
read: a required field becomes write-only | breaking | Callers that read it get undefined.
  {type: object, required: [a], properties: {a: {type: string}}}
  → {type: object, required: [a], properties: {a: {type: string, writeOnly: true}}}
read: a write-only field is removed | neutral | Responses never contained it.
  {type: object, properties: {a: {type: string, writeOnly: true}, b: {type: string}}}
  → {type: object, properties: {b: {type: string}}}
read: a write-only field becomes readable | additive | It is new, so no program reads it yet.
  {type: object, properties: {a: {type: string, writeOnly: true}, b: {}}}
  → {type: object, properties: {a: {type: string}, b: {}}}
read: a field is removed from a part of 'allOf' | breaking | Callers that read it get undefined.
  {allOf: [{type: object, properties: {c: {type: string}}}, {type: object, properties: {a: {type: string},
    b: {type: string}}}]}
  → {allOf: [{type: object, properties: {c: {type: string}}}, {type: object, properties: {a: {type: string}}}]}
read: a field moves from one part of 'allOf' to another | neutral | The composed schema does not change.
  {allOf: [{type: object, properties: {c: {type: string}}}, {type: object, properties: {a: {type: string},
    b: {type: string}}}]}
  → {allOf: [{type: object, properties: {c: {type: string}, b: {type: string}}}, {type: object,
    properties: {a: {type: string}}}]}
`),
  real(
    "a schema is composed of others and stays the same",
    "training",
    (draft) => {
      const { properties, required, ...rest } = draft.object("Model");
      if (properties === null || typeof properties !== "object" || Array.isArray(properties))
        throw new Error("No properties.");
      const { id, ...own } = properties;
      draft.set("Named", { type: "object", required: ["id"], properties: { id: id ?? {} } });
      draft.set("Model", {
        ...rest,
        allOf: [{ $ref: "#/components/schemas/Named" }, { type: "object", required: required ?? [], properties: own }],
      });
    },
    "neutral or additive",
    "The composed schema accepts the same values.",
  ),
];
