import { type Case, change } from "./case.ts";

const text = { type: "string" };

export const objects: readonly Case[] = [
  change(
    "an optional property is added to a request",
    "training",
    (draft) => draft.set("TrajectoryGroup/properties/plumage", { type: "number" }),
    ["additive", "property-added", "TrajectoryGroup.plumage", "send"],
  ),
  change(
    "an optional property is added to a closed request",
    "auxiliary",
    (draft) => draft.set("ObjectReadRequest/properties/plumage", text),
    ["additive", "property-added-to-closed", "ObjectReadRequest.plumage", "send"],
  ),
  change(
    "a required property is added to a request",
    "training",
    (draft) => {
      draft.set("LogRequest/properties/plumage", text);
      draft.list("LogRequest/required").push("plumage");
    },
    ["breaking", "property-added-required", "LogRequest.plumage", "send"],
  ),
  change(
    "an optional property is added to a response",
    "training",
    (draft) => draft.set("Model/properties/plumage", text),
    ["additive", "property-added", "Model.plumage", "read"],
  ),
  change(
    "a required property is added to a response",
    "training",
    (draft) => {
      draft.set("Model/properties/plumage", text);
      draft.list("Model/required").push("plumage");
    },
    ["additive", "property-added-required", "Model.plumage", "read"],
  ),
  change(
    "a required property is added to a schema that is sent and read",
    "training",
    (draft) => {
      draft.set("Choice/properties/plumage", text);
      draft.list("Choice/required").push("plumage");
    },
    ["breaking", "property-added-required", "Choice.plumage", "send read"],
  ),
  change(
    "a property is removed from a request",
    "training",
    (draft) => draft.remove("CreateModelRequest/properties/return_existing"),
    ["breaking", "property-removed", "CreateModelRequest.return_existing", "send"],
  ),
  change(
    "a property is removed from a response",
    "training",
    (draft) => draft.remove("TrainingJob/properties/training_start"),
    ["breaking", "property-removed", "TrainingJob.training_start", "read"],
  ),
  change(
    "a required property is removed from a response",
    "training",
    (draft) => {
      draft.remove("Model/properties/project");
      draft.take("Model/required", "project");
    },
    ["breaking", "property-removed", "Model.project", "read"],
  ),
  change(
    "a property of a request becomes required",
    "training",
    (draft) => draft.list("CreateModelRequest/required").push("return_existing"),
    ["breaking", "property-required", "CreateModelRequest.return_existing", "send"],
  ),
  change(
    "a property of a response becomes required",
    "training",
    (draft) => draft.list("TrainingJob/required").push("status"),
    ["additive", "property-required", "TrainingJob.status", "read"],
  ),
  change(
    "a property of a request becomes optional",
    "training",
    (draft) => draft.take("CreateModelRequest/required", "base_model"),
    ["additive", "property-optional", "CreateModelRequest.base_model", "send"],
  ),
  change("a property of a response becomes optional", "training", (draft) => draft.take("Model/required", "project"), [
    "breaking",
    "property-optional",
    "Model.project",
    "read",
  ]),
  change(
    "a property of a schema that is sent and read becomes optional",
    "training",
    (draft) => draft.take("Choice/required", "finish_reason"),
    ["breaking", "property-optional", "Choice.finish_reason", "send read"],
  ),
  change(
    "a request no longer accepts undeclared properties",
    "training",
    (draft) => draft.set("LogRequest/additionalProperties", false),
    ["breaking", "properties-closed", "LogRequest{}", "send"],
  ),
  change(
    "a request accepts undeclared properties",
    "auxiliary",
    (draft) => draft.remove("Metric/additionalProperties"),
    ["additive", "properties-opened", "Metric{}", "send"],
  ),
  change(
    "undeclared properties of a response get a schema",
    "training",
    (draft) => draft.set("Model/additionalProperties", text),
    ["additive", "properties-closed", "Model{}", "read"],
  ),
  change(
    "undeclared properties of a response may have any value",
    "auxiliary",
    (draft) => draft.remove("FeedbackStatsBucket/additionalProperties"),
    ["breaking", "properties-opened", "FeedbackStatsBucket{}", "read"],
  ),
  change(
    "the values of a map accept more",
    "training",
    (draft) => draft.set("Checkpoint/properties/metrics/additionalProperties/type", ["number", "string"]),
    ["breaking", "type-widened", "Checkpoint.metrics{}", "read"],
  ),
  change(
    "the entries of a map are removed",
    "training",
    (draft) => draft.set("Checkpoint/properties/metrics/additionalProperties", false),
    ["breaking", "properties-lost", "Checkpoint.metrics{}", "read"],
  ),
  change(
    "a property is renamed",
    "training",
    (draft) => {
      draft.set("TrainingJob/properties/started_at", draft.get("TrainingJob/properties/status"));
      draft.remove("TrainingJob/properties/status");
    },
    ["breaking", "property-renamed", "TrainingJob.started_at", "read"],
  ),
  change(
    "a property of a response becomes read-only",
    "training",
    (draft) => draft.set("Model/properties/id/readOnly", true),
    ["neutral", "access-noted", "Model.id", "read"],
  ),
  change("a schema is added", "training", (draft) => draft.set("Extra", { type: "object" }), [
    "additive",
    "schema-added",
    "Extra",
    "import",
  ]),
  change(
    "a schema is renamed",
    "training",
    (draft) => {
      draft.set("Wellness", draft.get("Health"));
      draft.remove("Health");
      draft.set("health.check/responses/200/content/application~1json/schema/$ref", "#/components/schemas/Wellness");
    },
    ["neutral", "rewritten", "health.check › 200", "read"],
    ["breaking", "schema-renamed", "Wellness", "import"],
  ),
  change(
    "a schema becomes inline",
    "training",
    (draft) => {
      draft.set("health.check/responses/200/content/application~1json/schema", draft.get("Health"));
      draft.remove("Health");
    },
    ["neutral", "rewritten", "health.check › 200", "read"],
    ["breaking", "schema-removed", "Health", "import"],
  ),
];
