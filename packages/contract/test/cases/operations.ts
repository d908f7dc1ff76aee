import { type Case, casesOf, change } from "./case.ts";

const log = "/paths/~1v1~1preview~1models~1{model_id}~1log";

export const operations: readonly Case[] = [
  ...casesOf(`
training: an operation is added | additive operation-added health.plumage call
  set /paths/~1v1~1plumage {get: {x-client-method: health.plumage, responses: {}}}
training: an operation is removed | breaking operation-removed health.systemCheck call
  remove health.systemCheck
training: a client method is renamed | breaking method-renamed models.erase call
  set models.delete/x-client-method models.erase
training: a client method is removed | breaking method-removed health.check call
  remove health.check/x-client-method
training: an alias gets a client method | additive method-added chat.completions.again call
  set /paths/~1v1~1chat~1completions~1/post/x-client-method chat.completions.again
training: an operation becomes an alias | breaking alias-changed health.check call
  set health.check/x-alias-of system_check_v1_system_check_get
training: an operation id changes | breaking operation-id-changed models.create call
  set models.create/operationId create_model
training: x-resend becomes stricter | breaking resend-stricter models.delete call
  set models.delete/x-resend never
training: x-resend becomes looser | warning resend-unsafe models.create call
  set models.create/x-resend always
training: x-resend gets a condition | warning resend-unsafe models.create call
  set models.create/x-resend {rule: with-key, always-if: {return_existing: true}}
training: x-resend becomes looser for a safe operation | additive resend-looser health.systemCheck call
  set health.systemCheck/x-resend always
training: an operation is declared safe | neutral safe-added models.create call
  set models.create/x-safe true
training: the path of an operation changes | breaking operation-moved health.check call
  copy /paths/~1v1~1health /paths/~1v1~1healthz
  remove /paths/~1v1~1health
inference: chunks of a stream are accumulated in another way | breaking fold-changed chat.completions.create call
  remove chat.completions.create/x-stream/fold
inference: a callback is added | additive callback-added models.list call
  set models.list/callbacks {later: {"{$url}": {post: {responses: {}}}}}
inference: a webhook is added | additive webhook-added webhooks call
  set /webhooks {later: {post: {responses: {}}}}
training: x-timeout is lowered by its removal | breaking timeout-shortened models.log call
  remove models.log/x-timeout
training: x-timeout is raised | additive timeout-raised trainingJobs.get call
  set trainingJobs.get/x-timeout 90
inference: x-pagination is added | breaking pagination-added models.list call
  set models.list/x-pagination {cursor: after, item: id, more: has_more}
training: x-pagination changes | breaking pagination-changed models.checkpoints.list call
  set models.checkpoints.list/x-pagination/item step
inference: x-stream is added | additive stream-added models.list call
  set models.list/x-stream {toggle: stream, end: "[DONE]"}
inference: x-stream changes | breaking stream-changed chat.completions.create call
  set chat.completions.create/x-stream/end "[END]"
inference: an operation is deprecated | additive deprecated models.list call
  set models.list/deprecated true
training: a server is added | additive server-added servers call
  add /servers {url: http://127.0.0.1:4020}
inference: a server changes | breaking server-changed servers call
  set /servers/0/url http://127.0.0.1:4010/inference/v2
inference: a server is removed | breaking server-removed servers call
  remove /servers/1
inference: the dialect of the schemas changes | breaking dialect-changed jsonSchemaDialect call
  set /jsonSchemaDialect https://json-schema.org/draft/2019-09/schema
inference: an unknown key is added to an operation | breaking unclassified models.list call
  set models.list/unheard-of true
inference: an unknown key is added to a document | breaking unclassified unheard-of call
  set /unheard-of {}
inference: a foreign key is added to an operation | neutral foreign-key-changed models.list call
  set models.list/x-unheard-of true
inference: a foreign key is added to a document | neutral foreign-key-changed x-unheard-of call
  set /x-unheard-of {}
`),
  change(
    "a path parameter is renamed",
    "training",
    (draft) => {
      draft.set("/paths/~1v1~1preview~1models~1{id}~1log", draft.get(log));
      draft.remove(log);
      draft.set("models.log/parameters/0", { ...draft.object("/components/parameters/ModelId"), name: "id" });
    },
    ["breaking", "path-parameter-renamed", "models.log › path id", "send"],
  ),
  change("two servers are swapped", "inference", (draft) => draft.list("/servers").reverse(), [
    "breaking",
    "server-order",
    "servers",
    "call",
  ]),
];
