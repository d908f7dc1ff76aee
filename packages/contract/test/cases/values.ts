import { type Case, casesOf } from "./case.ts";

export const values: readonly Case[] = casesOf(`
training: a request accepts an additional type | additive type-widened LogRequest.split send
  set LogRequest/properties/split/type [string, integer]
training: a request accepts only integers | breaking type-narrowed Trajectory.reward send
  set Trajectory/properties/reward/type integer
training: a response may have any number | breaking type-widened Checkpoint.step read
  set Checkpoint/properties/step/type number
training: a response has only integers | additive type-narrowed SystemCheckPart.duration read error
  set SystemCheckPart/properties/duration/type integer
training: a type changes | breaking type-changed Checkpoint.step read
  set Checkpoint/properties/step/type string
training: a request accepts null | additive null-added CreateModelRequest.project send
  set CreateModelRequest/properties/project/type [string, "null"]
training: a response may be null | breaking null-added Model.entity read
  set Model/properties/entity/type [string, "null"]
auxiliary: a response may be null, by a union | breaking null-added ObjectReadResponse.obj read
  set ObjectReadResponse/properties/obj {anyOf: [{$ref: "#/components/schemas/ObjSchema"}, {type: "null"}]}
training: a request no longer accepts null | breaking null-removed CreateModelRequest.entity send
  set CreateModelRequest/properties/entity/type string
training: a response is never null | additive null-removed Model.run_id read
  set Model/properties/run_id/type string
auxiliary: a request accepts an additional value | additive value-added Metric.value_type send
  add Metric/properties/value_type/enum text
auxiliary: a request accepts fewer values | breaking value-removed Metric.aggregations[] send
  take Metric/properties/aggregations/items/enum sum
training: a response may have an additional value | breaking value-added TrainingJob.status read
  add TrainingJob/properties/status/enum paused
training: a response has fewer values | breaking value-removed TrainingJob.status read
  take TrainingJob/properties/status/enum queued
inference: a constant changes | breaking value-changed ModelList.object read
  set ModelList/properties/object/const models
training: a default changes | breaking default-changed CreateModelRequest.return_existing send
  set CreateModelRequest/properties/return_existing/default true
training: a default is removed | breaking default-removed CreateModelRequest.return_existing send
  remove CreateModelRequest/properties/return_existing/default
training: a default is added | additive default-added LogRequest.split send
  set LogRequest/properties/split/default train
training: a length is limited in a request | breaking limit-tightened LogRequest.split send
  set LogRequest/properties/split/maxLength 64
training: a limit of a request is loosened | additive limit-loosened ExperimentalTrainingConfig.advantage_balance send
  set ExperimentalTrainingConfig/properties/advantage_balance/maximum 2
training: a limit of a response is tightened | additive limit-tightened Checkpoint.step read
  set Checkpoint/properties/step/minimum 1
training: a limit of a response is loosened | breaking limit-loosened Checkpoint.step read
  remove Checkpoint/properties/step/minimum
training: a list may no longer be empty | breaking limit-tightened LogRequest.trajectory_groups send
  set LogRequest/properties/trajectory_groups/minItems 1
training: a format is added to a request | breaking rule-added LogRequest.split send
  set LogRequest/properties/split/format uuid
training: a format is removed from a response | breaking rule-removed Model.id read
  remove Model/properties/id/format
auxiliary: a pattern changes | breaking rule-changed Metric.json_path send
  set Metric/properties/json_path/pattern "^[a-z]+$"
auxiliary: a pattern is removed from a request | additive rule-removed Metric.json_path send
  remove Metric/properties/json_path/pattern
training: a property of a request becomes read-only | breaking access-changed CreateModelRequest.entity send
  set CreateModelRequest/properties/entity/readOnly true
training: a list of a response is limited to no items | breaking emptied CheckpointPage.data read
  set CheckpointPage/properties/data/maxItems 0
auxiliary: an invalid value has another status | warning invalid-status-changed Metric.json_path send
  set Metric/properties/json_path/x-invalid-status 422
training: an enumeration of a response becomes extensible | breaking set-opened TrainingJob.status read
  set TrainingJob/properties/status/x-extensible true
training: an unknown keyword is added to a schema | breaking unclassified Model.id read
  set Model/properties/id/unheardOf 1
training: a foreign key is added to a schema | neutral foreign-key-changed Model.id call
  set Model/properties/id/x-unheard-of 1
`);
