import { type Case, change } from "./case.ts";

const alias = "/paths/~1v1~1chat~1completions~1/post";
const log = "/paths/~1v1~1preview~1models~1{model_id}~1log";

export const operations: readonly Case[] = [
  change(
    "an operation is added",
    "training",
    (draft) => draft.set("/paths/~1v1~1plumage", { get: { "x-client-method": "health.plumage", responses: {} } }),
    ["additive", "operation-added", "health.plumage", "call"],
  ),
  change("an operation is removed", "training", (draft) => draft.remove("health.systemCheck"), [
    "breaking",
    "operation-removed",
    "health.systemCheck",
    "call",
  ]),
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
  change(
    "a client method is renamed",
    "training",
    (draft) => draft.set("models.delete/x-client-method", "models.erase"),
    ["breaking", "method-renamed", "models.erase", "call"],
  ),
  change("a client method is removed", "training", (draft) => draft.remove("health.check/x-client-method"), [
    "breaking",
    "method-removed",
    "health.check",
    "call",
  ]),
  change(
    "an alias gets a client method",
    "training",
    (draft) => draft.set(`${alias}/x-client-method`, "chat.completions.again"),
    ["additive", "method-added", "chat.completions.again", "call"],
  ),
  change(
    "an operation becomes an alias",
    "training",
    (draft) => draft.set("health.check/x-alias-of", "system_check_v1_system_check_get"),
    ["breaking", "alias-changed", "health.check", "call"],
  ),
  change("an operation id changes", "training", (draft) => draft.set("models.create/operationId", "create_model"), [
    "breaking",
    "operation-id-changed",
    "models.create",
    "call",
  ]),
  change("x-resend becomes stricter", "training", (draft) => draft.set("models.delete/x-resend", "never"), [
    "breaking",
    "resend-stricter",
    "models.delete",
    "call",
  ]),
  change("x-resend becomes looser", "training", (draft) => draft.set("models.create/x-resend", "always"), [
    "warning",
    "resend-unsafe",
    "models.create",
    "call",
  ]),
  change(
    "x-resend becomes looser for a safe operation",
    "training",
    (draft) => draft.set("health.systemCheck/x-resend", "always"),
    ["additive", "resend-looser", "health.systemCheck", "call"],
  ),
  change("an operation is declared safe", "training", (draft) => draft.set("models.create/x-safe", true), [
    "neutral",
    "safe-added",
    "models.create",
    "call",
  ]),
  change(
    "the path of an operation changes",
    "training",
    (draft) => {
      draft.set("/paths/~1v1~1healthz", draft.get("/paths/~1v1~1health"));
      draft.remove("/paths/~1v1~1health");
    },
    ["breaking", "operation-moved", "health.check", "call"],
  ),
  change(
    "chunks of a stream are accumulated in another way",
    "inference",
    (draft) => draft.remove("chat.completions.create/x-stream/fold"),
    ["breaking", "fold-changed", "chat.completions.create", "call"],
  ),
  change(
    "a callback is added",
    "inference",
    (draft) => draft.set("models.list/callbacks", { later: { "{$url}": { post: { responses: {} } } } }),
    ["additive", "callback-added", "models.list", "call"],
  ),
  change("a webhook is added", "inference", (draft) => draft.set("/webhooks", { later: { post: { responses: {} } } }), [
    "additive",
    "webhook-added",
    "webhooks",
    "call",
  ]),
  change("two servers are swapped", "inference", (draft) => draft.list("/servers").reverse(), [
    "breaking",
    "server-order",
    "servers",
    "call",
  ]),
  change("x-timeout is lowered by its removal", "training", (draft) => draft.remove("models.log/x-timeout"), [
    "breaking",
    "timeout-shortened",
    "models.log",
    "call",
  ]),
  change("x-timeout is raised", "training", (draft) => draft.set("trainingJobs.get/x-timeout", 90), [
    "additive",
    "timeout-raised",
    "trainingJobs.get",
    "call",
  ]),
  change(
    "x-pagination is added",
    "inference",
    (draft) => draft.set("models.list/x-pagination", { cursor: "after", item: "id", more: "has_more" }),
    ["breaking", "pagination-added", "models.list", "call"],
  ),
  change(
    "x-pagination changes",
    "training",
    (draft) => draft.set("models.checkpoints.list/x-pagination/item", "step"),
    ["breaking", "pagination-changed", "models.checkpoints.list", "call"],
  ),
  change(
    "x-stream is added",
    "inference",
    (draft) => draft.set("models.list/x-stream", { toggle: "stream", end: "[DONE]" }),
    ["additive", "stream-added", "models.list", "call"],
  ),
  change("x-stream changes", "inference", (draft) => draft.set("chat.completions.create/x-stream/end", "[END]"), [
    "breaking",
    "stream-changed",
    "chat.completions.create",
    "call",
  ]),
  change("an operation is deprecated", "inference", (draft) => draft.set("models.list/deprecated", true), [
    "additive",
    "deprecated",
    "models.list",
    "call",
  ]),
  change("a server is added", "training", (draft) => draft.list("/servers").push({ url: "http://127.0.0.1:4020" }), [
    "additive",
    "server-added",
    "servers",
    "call",
  ]),
  change(
    "a server changes",
    "inference",
    (draft) => draft.set("/servers/0/url", "http://127.0.0.1:4010/inference/v2"),
    ["breaking", "server-changed", "servers", "call"],
  ),
  change("a server is removed", "inference", (draft) => draft.remove("/servers/1"), [
    "breaking",
    "server-removed",
    "servers",
    "call",
  ]),
  change(
    "the dialect of the schemas changes",
    "inference",
    (draft) => draft.set("/jsonSchemaDialect", "https://json-schema.org/draft/2019-09/schema"),
    ["breaking", "dialect-changed", "jsonSchemaDialect", "call"],
  ),
  change("an unknown key is added to an operation", "inference", (draft) => draft.set("models.list/unheard-of", true), [
    "breaking",
    "unclassified",
    "models.list",
    "call",
  ]),
  change("an unknown key is added to a document", "inference", (draft) => draft.set("/unheard-of", {}), [
    "breaking",
    "unclassified",
    "unheard-of",
    "call",
  ]),
  change(
    "a foreign key is added to an operation",
    "inference",
    (draft) => draft.set("models.list/x-unheard-of", true),
    ["neutral", "foreign-key-changed", "models.list", "call"],
  ),
  change("a foreign key is added to a document", "inference", (draft) => draft.set("/x-unheard-of", {}), [
    "neutral",
    "foreign-key-changed",
    "x-unheard-of",
    "call",
  ]),
];
