import { type Case, change } from "./case.ts";

const verbose = { name: "verbose", in: "query", schema: { type: "boolean" } };

export const parameters: readonly Case[] = [
  change(
    "an optional parameter is added",
    "training",
    (draft) => draft.list("models.checkpoints.list/parameters").push(verbose),
    ["additive", "parameter-added", "models.checkpoints.list › query verbose", "send"],
  ),
  change(
    "a first optional query parameter is added",
    "training",
    (draft) => draft.list("trainingJobs.get/parameters").push(verbose),
    ["additive", "parameter-added", "trainingJobs.get › query verbose", "send"],
  ),
  change(
    "a required parameter is added",
    "auxiliary",
    (draft) => draft.list("hardware.list/parameters").push({ ...verbose, required: true }),
    ["breaking", "parameter-added-required", "hardware.list › query verbose", "send"],
  ),
  change("a parameter is removed", "training", (draft) => draft.remove("trainingJobs.events.list/parameters/2"), [
    "breaking",
    "parameter-removed",
    "trainingJobs.events.list › query limit",
    "send",
  ]),
  change("a parameter is renamed", "training", (draft) => draft.set("/components/parameters/StepOrder/name", "sort"), [
    "breaking",
    "parameter-renamed",
    "parameter StepOrder",
    "send",
  ]),
  change(
    "an optional parameter is made required",
    "training",
    (draft) => draft.set("/components/parameters/Limit/required", true),
    ["breaking", "parameter-required", "parameter Limit", "send"],
  ),
  change(
    "a required parameter is made optional",
    "auxiliary",
    (draft) => draft.remove("hardware.list/parameters/0/required"),
    ["breaking", "arguments-moved", "hardware.list", "call"],
    ["additive", "parameter-optional", "hardware.list › query model", "send"],
  ),
  change(
    "the style of a parameter changes",
    "auxiliary",
    (draft) => draft.set("hardware.list/parameters/0/style", "pipeDelimited"),
    ["breaking", "parameter-serialized", "hardware.list › query model", "send"],
  ),
  change(
    "the limit of a parameter is tightened",
    "training",
    (draft) => draft.set("/components/parameters/Limit/schema/maximum", 50),
    ["breaking", "limit-tightened", "parameter Limit", "send"],
  ),
  change(
    "a parameter gets a client option",
    "training",
    (draft) => draft.set("/components/parameters/IdempotencyKey/x-client-option", "key"),
    ["additive", "client-option-added", "parameter IdempotencyKey", "send"],
  ),
  change(
    "the client option of a parameter changes",
    "inference",
    (draft) => draft.set("/components/parameters/CompatProject/x-client-option", "team"),
    ["breaking", "client-option-changed", "parameter CompatProject", "send"],
  ),
  change(
    "an optional body is added",
    "training",
    (draft) => draft.set("models.delete/requestBody", { content: { "application/json": { schema: {} } } }),
    ["breaking", "arguments-moved", "models.delete", "call"],
    ["additive", "body-added", "models.delete › request", "send"],
  ),
  change(
    "a required body is added",
    "training",
    (draft) => draft.set("models.delete/requestBody", { required: true, content: {} }),
    ["breaking", "arguments-moved", "models.delete", "call"],
    ["breaking", "body-added-required", "models.delete › request", "send"],
  ),
  change(
    "a body is removed",
    "training",
    (draft) => draft.remove("models.checkpoints.delete/requestBody"),
    ["breaking", "arguments-moved", "models.checkpoints.delete", "call"],
    ["breaking", "body-removed", "models.checkpoints.delete › request", "send"],
  ),
  change("a body is made optional", "training", (draft) => draft.remove("models.log/requestBody/required"), [
    "additive",
    "body-optional",
    "models.log › request",
    "send",
  ]),
  change(
    "a media type of a request is added",
    "training",
    (draft) => draft.set("models.log/requestBody/content/application~1xml", { schema: {} }),
    ["additive", "media-type-added", "models.log › request", "send"],
  ),
  change(
    "a media type of a request is removed",
    "training",
    (draft) => draft.remove("models.log/requestBody/content/application~1json"),
    ["breaking", "media-type-removed", "models.log › request", "send"],
  ),
];
