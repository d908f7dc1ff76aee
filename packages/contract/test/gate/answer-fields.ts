import { type Row, read, real } from "./row.ts";

/** Fields and schemas of what an operation returns. */
export const answerFields: readonly Row[] = [
  real(
    "a field is removed",
    "training",
    (draft) => draft.remove("TrainingJob/properties/training_end"),
    "breaking",
    "Callers that read it get undefined.",
  ),
  real(
    "a required field becomes optional",
    "training",
    (draft) => draft.take("Checkpoint/required", "metrics"),
    "breaking",
    "Callers that read it may get undefined.",
  ),
  real(
    "a field is renamed",
    "training",
    (draft) => {
      draft.set("Model/properties/title", draft.get("Model/properties/name"));
      draft.remove("Model/properties/name");
      draft.take("Model/required", "name");
      draft.list("Model/required").push("title");
    },
    "breaking",
    "Callers that read the old name get undefined.",
  ),
  real(
    "a required field is added",
    "training",
    (draft) => {
      draft.set("Model/properties/plumage", { type: "string" });
      draft.list("Model/required").push("plumage");
    },
    "additive",
    "It is new, so no program reads it yet.",
  ),
  real(
    "a field becomes read-only",
    "training",
    (draft) => draft.set("Model/properties/id/readOnly", true),
    "neutral or additive",
    "Responses only ever contained it.",
  ),
  real(
    "a field refers to another schema",
    "training",
    (draft) => draft.set("ChatCompletion/properties/usage/$ref", "#/components/schemas/StreamOptions"),
    "breaking",
    "It has another content.",
  ),
  real(
    "the entries of a map are removed",
    "training",
    (draft) => draft.set("Checkpoint/properties/metrics/additionalProperties", false),
    "breaking",
    "Callers that read the entries find none.",
  ),
  real(
    "the entries of an open object are removed",
    "auxiliary",
    (draft) => draft.set("HardwareOption/properties/specs/additionalProperties", false),
    "breaking",
    "Callers that read the entries find none.",
  ),
  real(
    "undeclared properties are excluded",
    "training",
    (draft) => draft.set("DeletedModel/additionalProperties", false),
    "additive or neutral",
    "The contract promised no others.",
  ),
  real(
    "a schema is renamed",
    "training",
    (draft) => {
      draft.set("Wellness", draft.get("Health"));
      draft.remove("Health");
      draft.set("health.check/responses/200/content/application~1json/schema/$ref", "#/components/schemas/Wellness");
    },
    "breaking for source",
    "The client no longer exports the type under its old name.",
  ),
  real(
    "a schema becomes inline",
    "training",
    (draft) => {
      draft.set("health.check/responses/200/content/application~1json/schema", draft.get("Health"));
      draft.remove("Health");
    },
    "breaking for source",
    "The client no longer exports the type.",
  ),
  real(
    "a schema is composed of others and stays the same",
    "training",
    (draft) => {
      const { properties, required, ...rest } = draft.object("Model");
      if (properties === null || typeof properties !== "object" || Array.isArray(properties))
        throw new Error("No properties.");
      const { id, ...own } = properties;
      draft.set("Named", { type: "object", required: ["id"], properties: { id: id ?? {} } });
      draft.set("Model", {
        ...rest,
        allOf: [{ $ref: "#/components/schemas/Named" }, { type: "object", required: required ?? [], properties: own }],
      });
    },
    "neutral or additive",
    "The composed schema accepts the same values.",
  ),
  read(
    "a field is added to a part of `allOf`",
    { allOf: [{ $ref: "#/components/schemas/Part" }, { type: "object", properties: { a: { type: "string" } } }] },
    {
      allOf: [
        { $ref: "#/components/schemas/Part" },
        { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
      ],
    },
    "additive",
    "It is new, so no program reads it yet.",
  ),
  read(
    "a field is removed from a part of `allOf`",
    {
      allOf: [
        { type: "object", properties: { c: { type: "string" } } },
        { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
      ],
    },
    {
      allOf: [
        { type: "object", properties: { c: { type: "string" } } },
        { type: "object", properties: { a: { type: "string" } } },
      ],
    },
    "breaking",
    "Callers that read it get undefined.",
  ),
  read(
    "a field moves from one part of `allOf` to another",
    {
      allOf: [
        { type: "object", properties: { c: { type: "string" } } },
        { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
      ],
    },
    {
      allOf: [
        { type: "object", properties: { c: { type: "string" }, b: { type: "string" } } },
        { type: "object", properties: { a: { type: "string" } } },
      ],
    },
    "neutral",
    "The composed schema does not change.",
  ),
  read(
    "a required field becomes write-only",
    { type: "object", required: ["a"], properties: { a: { type: "string" } } },
    { type: "object", required: ["a"], properties: { a: { type: "string", writeOnly: true } } },
    "breaking",
    "Callers that read it get undefined.",
  ),
  read(
    "a write-only field is removed",
    { type: "object", properties: { a: { type: "string", writeOnly: true }, b: { type: "string" } } },
    { type: "object", properties: { b: { type: "string" } } },
    "neutral",
    "Responses never contained it.",
  ),
  read(
    "a write-only field becomes readable",
    { type: "object", properties: { a: { type: "string", writeOnly: true }, b: {} } },
    { type: "object", properties: { a: { type: "string" }, b: {} } },
    "additive",
    "It is new, so no program reads it yet.",
  ),
];
