import { type Case, casesOf } from "./case.ts";

export const parameters: readonly Case[] = casesOf(`
training: an optional parameter is added | additive parameter-added models.checkpoints.list › query verbose send
  add models.checkpoints.list/parameters {name: verbose, in: query, schema: {type: boolean}}
training: a first optional query parameter is added | additive parameter-added trainingJobs.get › query verbose send
  add trainingJobs.get/parameters {name: verbose, in: query, schema: {type: boolean}}
auxiliary: a required parameter is added | breaking parameter-added-required hardware.list › query verbose send
  add hardware.list/parameters {name: verbose, in: query, schema: {type: boolean}, required: true}
training: a parameter is removed | breaking parameter-removed trainingJobs.events.list › query limit send
  remove trainingJobs.events.list/parameters/2
training: a parameter is renamed | breaking parameter-renamed parameter StepOrder send
  set /components/parameters/StepOrder/name sort
training: an optional parameter is made required | breaking parameter-required parameter Limit send
  set /components/parameters/Limit/required true
auxiliary: a required parameter is made optional
  | breaking arguments-moved hardware.list call
  | additive parameter-optional hardware.list › query model send
  remove hardware.list/parameters/0/required
auxiliary: the style of a parameter changes | breaking parameter-serialized hardware.list › query model send
  set hardware.list/parameters/0/style pipeDelimited
training: the limit of a parameter is tightened | breaking limit-tightened parameter Limit send
  set /components/parameters/Limit/schema/maximum 50
training: a parameter gets a client option | additive client-option-added parameter IdempotencyKey send
  set /components/parameters/IdempotencyKey/x-client-option key
inference: the client option of a parameter changes | breaking client-option-changed parameter CompatProject send
  set /components/parameters/CompatProject/x-client-option team
training: an optional body is added
  | breaking arguments-moved models.delete call
  | additive body-added models.delete › request send
  set models.delete/requestBody {content: {application/json: {schema: {}}}}
training: a required body is added
  | breaking arguments-moved models.delete call
  | breaking body-added-required models.delete › request send
  set models.delete/requestBody {required: true, content: {}}
training: a body is removed
  | breaking arguments-moved models.checkpoints.delete call
  | breaking body-removed models.checkpoints.delete › request send
  remove models.checkpoints.delete/requestBody
training: a body is made optional | additive body-optional models.log › request send
  remove models.log/requestBody/required
training: a media type of a request is added | additive media-type-added models.log › request send
  set models.log/requestBody/content/application~1xml {schema: {}}
training: a media type of a request is removed | breaking media-type-removed models.log › request send
  remove models.log/requestBody/content/application~1json
`);
