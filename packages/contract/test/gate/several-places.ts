import { type Json } from "@trainyard/document";
import type { JsonObject } from "../../src/json.ts";
import { type Row, between, rowsOf } from "./row.ts";

export const severalPlaces: readonly Row[] = [
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
read: an extensible enumeration is closed and gets a value
  | additive or warning or breaking | Readers ignored values that they did not know.
  {enum: [a], x-extensible: true} → {enum: [a, b]}
sent: a value is removed, and the default moves away from it | breaking | The value was accepted.
  {type: object, properties: {id: {type: string}, order: {enum: [up, down], default: down}}}
  → {type: object, properties: {id: {type: string}, order: {enum: [up], default: up}}}
read: the tag of a union is renamed, with its constants | breaking | Callers read the old name.
  {oneOf: [{type: object, required: [type], properties: {type: {const: a}}}, {type: object, required: [type],
    properties: {type: {const: b}}}], discriminator: {propertyName: type}}
  → {oneOf: [{type: object, required: [kind], properties: {kind: {const: a}}}, {type: object, required: [kind],
    properties: {kind: {const: b}}}], discriminator: {propertyName: kind}}
training: a field of the items of a stream becomes optional | breaking | Callers that read it may get nothing.
  take ChatCompletionChunk/required id
inference: the toggle of a stream is renamed, with its property | breaking | The old name no longer asks for a stream.
  rename ChatCompletionRequest/properties/stream streamed
  set chat.completions.create/x-stream/toggle streamed
training: a key of pages is renamed, with its property | breaking | Callers read the old name.
  rename CheckpointPage/properties/has_more more
  take CheckpointPage/required has_more
  add CheckpointPage/required more
  set models.checkpoints.list/x-pagination/more more
training: a field of a schema that is sent and read becomes required | breaking | Requests without it were accepted.
  add Choice/required logprobs
training: a response and a request rename the same field | breaking | Both old names lose their effect.
  rename Model/properties/name title
  take Model/required name
  add Model/required title
  rename CreateModelRequest/properties/name title
training: one limit of a request is loosened, and another one is tightened | breaking | Longer names were accepted.
  set ChatCompletionRequest/properties/messages/minItems 0
  set LogRequest/properties/split/maxLength 5
training: a list becomes a map of the same values | breaking | Callers go through a list.
  rename CheckpointPage/properties/data/items additionalProperties
  set CheckpointPage/properties/data/type object
training: a response of any JSON becomes an object | additive or neutral | It has fewer values.
  set models.log/responses/200/content/application~1json/schema {type: object}
training: a time becomes a number of seconds | breaking | Callers read a text.
  set TrainingJob/properties/training_start {type: [integer, "null"]}
training: the variants of a union change places, with their mapping | neutral | The meaning is the same.
  reverse Message/oneOf
training: a header of the responses is no longer declared | breaking | Callers that read it get nothing.
  remove models.log/responses/200/headers/x-request-id
`),
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
