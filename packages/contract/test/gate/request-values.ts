import { type Row, rowsOf } from "./row.ts";

/** Values of what an operation accepts. */
export const requestValues: readonly Row[] = [
  ...rowsOf(`
training: a value is removed from an enumeration that is sent and read | breaking | A value that was accepted is rejected.
  take Choice/properties/finish_reason/enum function_call
training: a constant changes | breaking | A value that was accepted is rejected.
  set FunctionTool/properties/type/const tool
training: a constant of a request becomes an enumeration | additive | Accepted values stay accepted.
  remove FunctionTool/properties/type/const
  set FunctionTool/properties/type/enum [function, tool]
training: null is permitted by another keyword | neutral | The meaning is the same.
  remove CreateModelRequest/properties/entity/type
  set CreateModelRequest/properties/entity/anyOf [{type: string}, {type: "null"}]
training: null is removed from an enumeration whose type permits it | breaking | Null was accepted.
  take ExperimentalTrainingConfig/properties/loss_fn/enum null
training: a string becomes a string or a list | additive | Accepted values stay accepted.
  remove LogRequest/properties/split/type
  set LogRequest/properties/split/anyOf [{type: string}, {type: array, items: {type: string}}]
training: a pattern is added | breaking | A value that was accepted is rejected.
  set LogRequest/properties/split/pattern "^[a-z]+$"
auxiliary: a pattern is removed, with its 'x-invalid-status' | additive | Accepted values stay accepted.
  remove Metric/properties/json_path/pattern
  remove Metric/properties/json_path/x-invalid-status
training: the order of types changes | neutral | The order of types has no meaning.
  set CreateModelRequest/properties/entity/type ["null", string]
sent: an enumeration is written as constants | neutral | The meaning is the same.
  {type: object, properties: {a: {type: string, enum: [x, y]}}}
  → {type: object, properties: {a: {anyOf: [{const: x}, {const: y}]}}}
sent: constants with descriptions become an enumeration | neutral | The meaning is the same.
  {oneOf: [{const: x, description: One.}, {const: y, description: Other.}]} → {enum: [x, y]}
sent: one of several constants is removed | breaking | A value that was accepted is rejected.
  {anyOf: [{const: x}, {const: y}]} → {enum: [x]}
sent: a variant is split into two that accept the same values | neutral or additive | Accepted values stay accepted.
  {type: object, properties: {a: {anyOf: [{type: string}, {type: object, title: Both}]}}}
  → {type: object, properties: {a: {anyOf: [{type: string}, {type: object, title: Both}, {type: object, title: More}]}}}
sent: a URL may be relative | additive | Accepted values stay accepted.
  {type: string, format: uri} → {type: string, format: uri-reference}
training: null is rejected | breaking | Null was accepted.
  set CreateRlTrainingJobRequest/properties/experimental_config {$ref: "#/components/schemas/ExperimentalTrainingConfig"}
`),
];
