import { type Row, both, real, sent } from "./row.ts";

const groups = "LogRequest/properties/trajectory_groups";

/** Fields of what an operation accepts. */
export const requestFields: readonly Row[] = [
  real(
    "unknown properties are rejected",
    "training",
    (draft) => draft.set("CreateModelRequest/additionalProperties", false),
    "breaking",
    "Requests with other properties are rejected.",
  ),
  real(
    "unknown properties are ignored",
    "auxiliary",
    (draft) => draft.set("ObjectReadRequest/additionalProperties", true),
    "additive",
    "Accepted values stay accepted.",
  ),
  real(
    "a list may be empty",
    "training",
    (draft) => draft.set("ChatCompletionRequest/properties/messages/minItems", 0),
    "additive",
    "Accepted values stay accepted.",
  ),
  real(
    "a field becomes required",
    "training",
    (draft) => draft.list("CreateModelRequest/required").push("entity"),
    "breaking",
    "Requests without it are rejected.",
  ),
  real(
    "a required field of a shared schema becomes read-only",
    "training",
    (draft) => {
      draft.set("Choice/properties/plumage", { type: "string", readOnly: true });
      draft.list("Choice/required").push("plumage");
    },
    "additive or neutral",
    "It is never sent, and nobody read it before.",
  ),
  real(
    "a field becomes write-only",
    "training",
    (draft) => draft.set("CreateModelRequest/properties/base_model/writeOnly", true),
    "additive or neutral",
    "It was only sent before.",
  ),
  real(
    "`additionalProperties: true` is removed",
    "auxiliary",
    (draft) => draft.remove("HardwareOption/properties/specs/additionalProperties"),
    "neutral",
    "Objects are open by default.",
  ),
  real(
    "the order of properties changes",
    "training",
    (draft) => {
      draft.set("Model/properties", Object.fromEntries(Object.entries(draft.object("Model/properties")).toReversed()));
    },
    "neutral",
    "The order of keys has no meaning.",
  ),
  real(
    "a pattern for the names of entries is added",
    "training",
    (draft) => draft.set("Trajectory/properties/metadata/propertyNames", { pattern: "^[a-z]+$" }),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  sent(
    "the schema of an entry depends on its name",
    { type: "object", additionalProperties: true },
    { type: "object", additionalProperties: true, patternProperties: { "^n_": { type: "number" } } },
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "a field requires another one",
    "auxiliary",
    (draft) => draft.set("FeedbackStatsRequest/dependentRequired", { end: ["granularity"] }),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "properties that no part of `allOf` declares are rejected",
    "training",
    (draft) => draft.set("CreateModelRequest/unevaluatedProperties", false),
    "breaking",
    "Requests with other properties are rejected.",
  ),
  real(
    "a schema may contain itself",
    "training",
    (draft) => draft.set("History/properties/earlier", { $ref: "#/components/schemas/History" }),
    "additive",
    "It is optional.",
  ),
  real(
    "the nested fields of a message change their types",
    "training",
    (draft) => {
      draft.set("TextPart/properties/text/type", "integer");
      draft.set("RefusalPart/properties/refusal/type", "integer");
    },
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "the maximum length of a list is lowered",
    "training",
    (draft) => draft.set(`${groups}/maxItems`, 10),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  sent(
    "the items of a tuple are swapped",
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    { type: "array", prefixItems: [{ type: "number" }, { type: "string" }] },
    "breaking",
    "A value that was accepted is rejected.",
  ),
  sent(
    "an object is closed by another keyword",
    { type: "object", properties: { a: {} }, additionalProperties: false },
    { type: "object", properties: { a: {} }, unevaluatedProperties: false },
    "neutral",
    "The meaning is the same.",
  ),
  sent(
    "a description is added beside a reference",
    { $ref: "#/components/schemas/Part" },
    { allOf: [{ $ref: "#/components/schemas/Part" }, { description: "A part." }] },
    "neutral",
    "The meaning is the same.",
  ),
  sent(
    "a field of a part of `allOf` becomes required",
    { allOf: [{ type: "object", properties: { a: {} } }, { properties: { b: {} } }] },
    { allOf: [{ type: "object", properties: { a: {} } }, { properties: { b: {} } }], required: ["a"] },
    "breaking",
    "Requests without it are rejected.",
  ),
  sent(
    "a required field becomes read-only",
    { type: "object", required: ["a"], properties: { a: { type: "string" }, b: {} } },
    { type: "object", required: ["a"], properties: { a: { type: "string", readOnly: true }, b: {} } },
    "breaking",
    "Calls that send it lose its effect.",
  ),
  sent(
    "a read-only field is removed",
    { type: "object", properties: { a: { type: "string", readOnly: true }, b: {} } },
    { type: "object", properties: { b: {} } },
    "neutral",
    "It was never sent.",
  ),
  both(
    "a required read-only field is added",
    { type: "object", properties: { a: {} } },
    { type: "object", required: ["id"], properties: { a: {}, id: { type: "string", readOnly: true } } },
    "additive or neutral",
    "It is never sent, and nobody read it before.",
  ),
  both(
    "a read-only field becomes required",
    { type: "object", properties: { a: { type: "string", readOnly: true }, b: {} } },
    { type: "object", required: ["a"], properties: { a: { type: "string", readOnly: true }, b: {} } },
    "additive or neutral",
    "It is never sent, and always read now.",
  ),
  both(
    "a write-only field becomes required",
    { type: "object", properties: { a: { type: "string", writeOnly: true } } },
    { type: "object", required: ["a"], properties: { a: { type: "string", writeOnly: true } } },
    "breaking",
    "Requests without it are rejected.",
  ),
];
