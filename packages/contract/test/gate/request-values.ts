import { type Row, real, sent } from "./row.ts";

/** Values of what an operation accepts. */
export const requestValues: readonly Row[] = [
  real(
    "a value is removed from an enumeration",
    "inference",
    (draft) => draft.take("InputAudio/properties/format/enum", "mp3"),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "a value is removed from an enumeration that is sent and read",
    "training",
    (draft) => draft.take("Choice/properties/finish_reason/enum", "function_call"),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "a constant changes",
    "training",
    (draft) => draft.set("FunctionTool/properties/type/const", "tool"),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "a constant of a request becomes an enumeration",
    "training",
    (draft) => {
      draft.remove("FunctionTool/properties/type/const");
      draft.set("FunctionTool/properties/type/enum", ["function", "tool"]);
    },
    "additive",
    "Accepted values stay accepted.",
  ),
  real(
    "a default of a request changes",
    "auxiliary",
    (draft) => draft.set("Metric/properties/value_type/default", "boolean"),
    "breaking or warning",
    "If the field is missing, another default applies.",
  ),
  real(
    "a default of a request is removed",
    "auxiliary",
    (draft) => draft.remove("FeedbackStatsRequest/properties/timezone/default"),
    "breaking or warning",
    "If the field is missing, no default is known.",
  ),
  real(
    "null is permitted by another keyword",
    "training",
    (draft) => {
      draft.remove("CreateModelRequest/properties/entity/type");
      draft.set("CreateModelRequest/properties/entity/anyOf", [{ type: "string" }, { type: "null" }]);
    },
    "neutral",
    "The meaning is the same.",
  ),
  real(
    "null is rejected",
    "training",
    (draft) =>
      draft.set("CreateRlTrainingJobRequest/properties/experimental_config", {
        $ref: "#/components/schemas/ExperimentalTrainingConfig",
      }),
    "breaking",
    "Null was accepted.",
  ),
  real(
    "null is removed from an enumeration whose type permits it",
    "training",
    (draft) => draft.take("ExperimentalTrainingConfig/properties/loss_fn/enum", null),
    "breaking",
    "Null was accepted.",
  ),
  real(
    "values are removed that only the types accept",
    "inference",
    (draft) => draft.remove("ImageUrl/properties/detail/x-types-accept"),
    "breaking for source",
    "Values of another library's types no longer compile.",
  ),
  real(
    "values are added that only the types accept",
    "inference",
    (draft) => draft.set("InputAudio/properties/format/x-types-accept", ["ogg"]),
    "additive or neutral",
    "The types accept more; the service does not.",
  ),
  real(
    "a string becomes a string or a list",
    "training",
    (draft) => {
      draft.remove("LogRequest/properties/split/type");
      draft.set("LogRequest/properties/split/anyOf", [
        { type: "string" },
        { type: "array", items: { type: "string" } },
      ]);
    },
    "additive",
    "Accepted values stay accepted.",
  ),
  real(
    "`anyOf` becomes `oneOf`",
    "training",
    (draft) => {
      draft.set("MessageOrChoice/oneOf", draft.get("MessageOrChoice/anyOf"));
      draft.remove("MessageOrChoice/anyOf");
    },
    "breaking",
    "A value that matches two variants is rejected.",
  ),
  real(
    "a format is added",
    "training",
    (draft) => draft.set("LogRequest/properties/split/format", "hostname"),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "a pattern is added",
    "training",
    (draft) => draft.set("LogRequest/properties/split/pattern", "^[a-z]+$"),
    "breaking",
    "A value that was accepted is rejected.",
  ),
  real(
    "a pattern is removed, with its `x-invalid-status`",
    "auxiliary",
    (draft) => {
      draft.remove("Metric/properties/json_path/pattern");
      draft.remove("Metric/properties/json_path/x-invalid-status");
    },
    "additive",
    "Accepted values stay accepted.",
  ),
  real(
    "an invalid value has another status",
    "auxiliary",
    (draft) => draft.set("Metric/properties/json_path/x-invalid-status", 422),
    "warning or breaking",
    "The request is rejected as before.",
  ),
  real(
    "the order of types changes",
    "training",
    (draft) => draft.set("CreateModelRequest/properties/entity/type", ["null", "string"]),
    "neutral",
    "The order of types has no meaning.",
  ),
  real(
    "the upper limit of the items of a list is removed",
    "auxiliary",
    (draft) => draft.remove(`Metric/properties/percentiles/items/maximum`),
    "additive",
    "Accepted values stay accepted.",
  ),
  sent(
    "an enumeration is written as constants",
    { type: "object", properties: { a: { type: "string", enum: ["x", "y"] } } },
    { type: "object", properties: { a: { anyOf: [{ const: "x" }, { const: "y" }] } } },
    "neutral",
    "The meaning is the same.",
  ),
  sent(
    "constants with descriptions become an enumeration",
    {
      oneOf: [
        { const: "x", description: "One." },
        { const: "y", description: "Other." },
      ],
    },
    { enum: ["x", "y"] },
    "neutral",
    "The meaning is the same.",
  ),
  sent(
    "one of several constants is removed",
    { anyOf: [{ const: "x" }, { const: "y" }] },
    { enum: ["x"] },
    "breaking",
    "A value that was accepted is rejected.",
  ),
  sent(
    "a variant is split into two that accept the same values",
    { type: "object", properties: { a: { anyOf: [{ type: "string" }, { type: "object", title: "Both" }] } } },
    {
      type: "object",
      properties: {
        a: { anyOf: [{ type: "string" }, { type: "object", title: "Both" }, { type: "object", title: "More" }] },
      },
    },
    "neutral or additive",
    "Accepted values stay accepted.",
  ),
  sent(
    "a URL may be relative",
    { type: "string", format: "uri" },
    { type: "string", format: "uri-reference" },
    "additive",
    "Accepted values stay accepted.",
  ),
];
