import { type Case, casesOf } from "./case.ts";

export const objects: readonly Case[] = casesOf(`
training: an optional property is added to a request | additive property-added TrajectoryGroup.plumage send
  set TrajectoryGroup/properties/plumage {type: number}
auxiliary: an optional property is added to a closed request
  | additive property-added-to-closed ObjectReadRequest.plumage send
  set ObjectReadRequest/properties/plumage {type: string}
training: a required property is added to a request | breaking property-added-required LogRequest.plumage send
  set LogRequest/properties/plumage {type: string}
  add LogRequest/required plumage
training: an optional property is added to a response | additive property-added Model.plumage read
  set Model/properties/plumage {type: string}
training: a required property is added to a response | additive property-added-required Model.plumage read
  set Model/properties/plumage {type: string}
  add Model/required plumage
training: a required property is added to a schema that is sent and read
  | breaking property-added-required Choice.plumage send read
  set Choice/properties/plumage {type: string}
  add Choice/required plumage
training: a property is removed from a request | breaking property-removed CreateModelRequest.return_existing send
  remove CreateModelRequest/properties/return_existing
training: a property is removed from a response | breaking property-removed TrainingJob.training_start read
  remove TrainingJob/properties/training_start
training: a required property is removed from a response | breaking property-removed Model.project read
  remove Model/properties/project
  take Model/required project
training: a property of a request becomes required | breaking property-required CreateModelRequest.return_existing send
  add CreateModelRequest/required return_existing
training: a property of a response becomes required | additive property-required TrainingJob.status read
  add TrainingJob/required status
training: a property of a request becomes optional | additive property-optional CreateModelRequest.base_model send
  take CreateModelRequest/required base_model
training: a property of a response becomes optional | breaking property-optional Model.project read
  take Model/required project
training: a property of a schema that is sent and read becomes optional
  | breaking property-optional Choice.finish_reason send read
  take Choice/required finish_reason
training: a request no longer accepts undeclared properties | breaking properties-closed LogRequest{} send
  set LogRequest/additionalProperties false
auxiliary: a request accepts undeclared properties | additive properties-opened Metric{} send
  remove Metric/additionalProperties
training: undeclared properties of a response get a schema | additive properties-closed Model{} read
  set Model/additionalProperties {type: string}
auxiliary: undeclared properties of a response may have any value
  | breaking properties-opened FeedbackStatsBucket{} read
  remove FeedbackStatsBucket/additionalProperties
training: the values of a map accept more | breaking type-widened Checkpoint.metrics{} read
  set Checkpoint/properties/metrics/additionalProperties/type [number, string]
training: the entries of a map are removed | breaking properties-lost Checkpoint.metrics{} read
  set Checkpoint/properties/metrics/additionalProperties false
training: a property is renamed | breaking property-renamed TrainingJob.started_at read
  copy TrainingJob/properties/status TrainingJob/properties/started_at
  remove TrainingJob/properties/status
training: a property of a response becomes read-only | neutral access-noted Model.id read
  set Model/properties/id/readOnly true
training: a schema is added | additive schema-added Extra import
  set Extra {type: object}
training: a schema is renamed | neutral rewritten health.check › 200 read | breaking schema-renamed Wellness import
  copy Health Wellness
  remove Health
  set health.check/responses/200/content/application~1json/schema/$ref "#/components/schemas/Wellness"
training: a schema becomes inline | neutral rewritten health.check › 200 read | breaking schema-removed Health import
  copy Health health.check/responses/200/content/application~1json/schema
  remove Health
`);
