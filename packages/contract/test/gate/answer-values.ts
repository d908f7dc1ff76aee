import { type Row, rowsOf } from "./row.ts";

/** Values of what an operation returns. */
export const answerValues: readonly Row[] = [
  ...rowsOf(`
training: a field becomes nullable | breaking | Callers that read it may get null.
  set Model/properties/name/type [string, "null"]
training: a field is no longer nullable | additive | Readers already handle every remaining value.
  set TrainingJob/properties/error_message/type string
training: a constant becomes an enumeration | breaking or warning | Readers may get a value that they do not know.
  remove CheckpointPage/properties/object/const
  set CheckpointPage/properties/object/enum [list, page]
training: an enumeration becomes any string | breaking or warning | Readers may get values that they do not know.
  remove TrainingJob/properties/status/enum
training: a value is removed from an enumeration | breaking for source | A 'case' for it no longer compiles.
  take TrainingJob/properties/status/enum queued
training: a value of an enumeration is replaced | breaking | One change does not compensate for the other.
  add TrainingJob/properties/status/enum waiting
  take TrainingJob/properties/status/enum queued
training: two tags of a union are swapped | breaking | Each tag stands for another variant.
  set TrainingJobEvent/discriminator/mapping/training_started "#/components/schemas/TrainingEndedEvent"
  set TrainingJobEvent/discriminator/mapping/training_ended "#/components/schemas/TrainingStartedEvent"
training: a field may have any value | breaking | Readers may get values that they do not know.
  remove Model/properties/name/type
training: the items of a list have another type | breaking | A number becomes a string.
  set DeletedCheckpoints/properties/not_found_steps/items {type: string}
auxiliary: a number becomes an integer | additive or neutral | Every integer is a number.
  set HardwarePricing/properties/cents_per_million_input_tokens/type integer
auxiliary: a format changes | breaking | Callers that parse it by the old format fail.
  set ObjSchema/properties/created_at/format date
training: a default changes | warning or neutral or breaking | The default tells readers what a missing field means.
  set CheckpointPage/properties/first_id/default none
read: an integer format becomes wider | breaking or warning | Readers with 32 bits may get larger numbers.
  {type: object, properties: {n: {type: integer, format: int32}}}
  → {type: object, properties: {n: {type: integer, format: int64}}}
read: an integer format becomes narrower | additive or neutral | Readers already handle every remaining value.
  {type: object, properties: {n: {type: integer, format: int64}}}
  → {type: object, properties: {n: {type: integer, format: int32}}}
read: a list is removed from a union with a string | breaking or additive | A comparison with it no longer compiles.
  {anyOf: [{type: string}, {type: array, items: {type: string}}]} → {type: string}
training: a variant and its tag are added to a union
  | breaking or warning | The union is closed, so readers need not handle other variants.
  set PausedEvent {type: object, required: [type], properties: {type: {type: string, const: paused}}}
  add TrainingJobEvent/oneOf {$ref: "#/components/schemas/PausedEvent"}
  set TrainingJobEvent/discriminator/mapping/paused "#/components/schemas/PausedEvent"
training: a variant is removed from a union, but not its schema | breaking for source | A 'case' for it no longer compiles.
  remove TrainingJobEvent/oneOf/1
  remove TrainingJobEvent/discriminator/mapping/gradient_step
`),
];
