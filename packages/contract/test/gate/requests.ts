import { type Row, both, real, sent } from "./row.ts";

const groups = "LogRequest/properties/trajectory_groups";

/** What callers send in a body. */
export const requests: readonly Row[] = [
  real(
    "a value of an enumeration goes",
    "inference",
    (draft) => draft.take("InputAudio/properties/format/enum", "mp3"),
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a value goes from what is sent and read",
    "training",
    (draft) => draft.take("Choice/properties/finish_reason/enum", "function_call"),
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a constant changes",
    "training",
    (draft) => draft.set("FunctionTool/properties/type/const", "tool"),
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a constant of a request may be another value as well",
    "training",
    (draft) => {
      draft.remove("FunctionTool/properties/type/const");
      draft.set("FunctionTool/properties/type/enum", ["function", "tool"]);
    },
    "additive",
    "Everything that was accepted still is.",
  ),
  real(
    "unknown properties are refused",
    "training",
    (draft) => draft.set("CreateModelRequest/additionalProperties", false),
    "breaking",
    "Requests with other properties are refused.",
  ),
  real(
    "unknown properties are ignored",
    "auxiliary",
    (draft) => draft.set("ObjectReadRequest/additionalProperties", true),
    "additive",
    "Everything that was accepted still is.",
  ),
  real(
    "a default changes",
    "auxiliary",
    (draft) => draft.set("Metric/properties/value_type/default", "boolean"),
    "breaking or warning",
    "Where nothing is given, something else holds.",
  ),
  real(
    "a default goes",
    "auxiliary",
    (draft) => draft.remove("FeedbackStatsRequest/properties/timezone/default"),
    "breaking or warning",
    "Where nothing is given, nobody knows what holds.",
  ),
  real(
    "a value may be null by another word",
    "training",
    (draft) => {
      draft.remove("CreateModelRequest/properties/entity/type");
      draft.set("CreateModelRequest/properties/entity/anyOf", [{ type: "string" }, { type: "null" }]);
    },
    "neutral",
    "It says the same.",
  ),
  real(
    "null is refused",
    "training",
    (draft) =>
      draft.set("CreateRlTrainingJobRequest/properties/experimental_config", {
        $ref: "#/components/schemas/ExperimentalTrainingConfig",
      }),
    "breaking",
    "Null was accepted.",
  ),
  real(
    "null leaves an enumeration whose type has it",
    "training",
    (draft) => draft.take("ExperimentalTrainingConfig/properties/loss_fn/enum", null),
    "breaking",
    "Null was accepted.",
  ),
  real(
    "values that only the types take go",
    "inference",
    (draft) => draft.remove("ImageUrl/properties/detail/x-types-accept"),
    "breaking for source",
    "Values of another library's types no longer compile.",
  ),
  real(
    "values that only the types take come",
    "inference",
    (draft) => draft.set("InputAudio/properties/format/x-types-accept", ["ogg"]),
    "additive or neutral",
    "The types take more; the service does not.",
  ),
  real(
    "a text may be a list as well",
    "training",
    (draft) => {
      draft.remove("LogRequest/properties/split/type");
      draft.set("LogRequest/properties/split/anyOf", [
        { type: "string" },
        { type: "array", items: { type: "string" } },
      ]);
    },
    "additive",
    "Everything that was accepted still is.",
  ),
  real(
    "any of several becomes one of them alone",
    "training",
    (draft) => {
      draft.set("MessageOrChoice/oneOf", draft.get("MessageOrChoice/anyOf"));
      draft.remove("MessageOrChoice/anyOf");
    },
    "breaking",
    "What fits two is refused.",
  ),
  real(
    "an integer may be any number",
    "training",
    (draft) => draft.set("DeleteCheckpointsRequest/properties/steps/items/type", "number"),
    "additive",
    "Everything that was accepted still is.",
  ),
  real(
    "a format is held",
    "training",
    (draft) => draft.set("LogRequest/properties/split/format", "hostname"),
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a pattern is held",
    "training",
    (draft) => draft.set("LogRequest/properties/split/pattern", "^[a-z]+$"),
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a pattern is held no more, nor the status of its breach",
    "auxiliary",
    (draft) => {
      draft.remove("Metric/properties/json_path/pattern");
      draft.remove("Metric/properties/json_path/x-invalid-status");
    },
    "additive",
    "Everything that was accepted still is.",
  ),
  real(
    "a breach has another status",
    "auxiliary",
    (draft) => draft.set("Metric/properties/json_path/x-invalid-status", 422),
    "warning or neutral",
    "The request is refused as before.",
  ),
  real(
    "a list may be empty",
    "training",
    (draft) => draft.set("ChatCompletionRequest/properties/messages/minItems", 0),
    "additive",
    "Everything that was accepted still is.",
  ),
  real(
    "an upper limit falls",
    "inference",
    (draft) => draft.set("JsonSchemaFormat/properties/name/maxLength", 32),
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a field is made required",
    "training",
    (draft) => draft.list("CreateModelRequest/required").push("entity"),
    "breaking",
    "Requests without it are refused.",
  ),
  real(
    "a required field of what is sent and read is only read",
    "training",
    (draft) => {
      draft.set("Choice/properties/plumage", { type: "string", readOnly: true });
      draft.list("Choice/required").push("plumage");
    },
    "additive or neutral",
    "It is never sent, and nobody read it before.",
  ),
  real(
    "a field is only written",
    "training",
    (draft) => draft.set("CreateModelRequest/properties/base_model/writeOnly", true),
    "additive or neutral",
    "It was only sent before.",
  ),
  real(
    "what is open is said to be",
    "auxiliary",
    (draft) => draft.remove("HardwareOption/properties/specs/additionalProperties"),
    "neutral",
    "Objects are open by themselves.",
  ),
  real(
    "properties stand in another order",
    "training",
    (draft) => {
      draft.set("Model/properties", Object.fromEntries(Object.entries(draft.object("Model/properties")).toReversed()));
    },
    "neutral",
    "The order of keys says nothing.",
  ),
  real(
    "the names of entries have a form",
    "training",
    (draft) => draft.set("Trajectory/properties/metadata/propertyNames", { pattern: "^[a-z]+$" }),
    "breaking",
    "What was accepted is refused.",
  ),
  sent(
    "the names of entries choose their form",
    { type: "object", additionalProperties: true },
    { type: "object", additionalProperties: true, patternProperties: { "^n_": { type: "number" } } },
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a field needs another",
    "auxiliary",
    (draft) => draft.set("FeedbackStatsRequest/dependentRequired", { end: ["granularity"] }),
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "what no part describes is refused",
    "training",
    (draft) => draft.set("CreateModelRequest/unevaluatedProperties", false),
    "breaking",
    "Requests with other properties are refused.",
  ),
  real(
    "a tree may have branches",
    "training",
    (draft) => draft.set("History/properties/earlier", { $ref: "#/components/schemas/History" }),
    "additive",
    "It is optional.",
  ),
  real(
    "types stand in another order",
    "training",
    (draft) => draft.set("CreateModelRequest/properties/entity/type", ["null", "string"]),
    "neutral",
    "The order of types says nothing.",
  ),
  real(
    "a message's inner fields change their types",
    "training",
    (draft) => {
      draft.set("TextPart/properties/text/type", "integer");
      draft.set("RefusalPart/properties/refusal/type", "integer");
    },
    "breaking",
    "What was accepted is refused.",
  ),
  real(
    "a value that was refused in a list is taken",
    "auxiliary",
    (draft) => draft.remove(`Metric/properties/percentiles/items/maximum`),
    "additive",
    "Everything that was accepted still is.",
  ),
  real(
    "a list has fewer items",
    "training",
    (draft) => draft.set(`${groups}/maxItems`, 10),
    "breaking",
    "What was accepted is refused.",
  ),

  sent(
    "an enumeration is written as constants",
    { type: "object", properties: { a: { type: "string", enum: ["x", "y"] } } },
    { type: "object", properties: { a: { anyOf: [{ const: "x" }, { const: "y" }] } } },
    "neutral",
    "It says the same.",
  ),
  sent(
    "constants with words of their own become an enumeration",
    {
      oneOf: [
        { const: "x", description: "One." },
        { const: "y", description: "Other." },
      ],
    },
    { enum: ["x", "y"] },
    "neutral",
    "It says the same.",
  ),
  sent(
    "constants lose one",
    { anyOf: [{ const: "x" }, { const: "y" }] },
    { enum: ["x"] },
    "breaking",
    "What was accepted is refused.",
  ),
  sent(
    "a variant is split in two that cover the same",
    { type: "object", properties: { a: { anyOf: [{ type: "string" }, { type: "object", title: "Both" }] } } },
    {
      type: "object",
      properties: {
        a: { anyOf: [{ type: "string" }, { type: "object", title: "Both" }, { type: "object", title: "More" }] },
      },
    },
    "neutral or additive",
    "Everything that was accepted still is.",
  ),
  sent(
    "above 0 becomes from 0",
    { type: "number", exclusiveMinimum: 0 },
    { type: "number", minimum: 0 },
    "additive",
    "Everything that was accepted still is.",
  ),
  sent(
    "from 0 becomes above 0",
    { type: "number", minimum: 0 },
    { type: "number", exclusiveMinimum: 0 },
    "breaking",
    "0 was accepted.",
  ),
  sent(
    "above 0 is from 1 for integers",
    { type: "integer", exclusiveMinimum: 0 },
    { type: "integer", minimum: 1 },
    "neutral",
    "It says the same.",
  ),
  sent(
    "below 10 is up to 9 for integers",
    { type: "integer", exclusiveMaximum: 10 },
    { type: "integer", maximum: 9 },
    "neutral",
    "It says the same.",
  ),
  sent(
    "two limits become the one that counts",
    { type: "number", minimum: 0, exclusiveMinimum: 3 },
    { type: "number", exclusiveMinimum: 3 },
    "neutral",
    "It says the same.",
  ),
  sent(
    "a step becomes finer",
    { type: "integer", multipleOf: 4 },
    { type: "integer", multipleOf: 2 },
    "additive",
    "Multiples of 4 are multiples of 2.",
  ),
  sent(
    "a step becomes coarser",
    { type: "integer", multipleOf: 2 },
    { type: "integer", multipleOf: 4 },
    "breaking",
    "2 was accepted.",
  ),
  sent(
    "a step of 1 is said of integers",
    { type: "integer" },
    { type: "integer", multipleOf: 1 },
    "neutral",
    "It says the same.",
  ),
  sent(
    "steps that share nothing",
    { type: "integer", multipleOf: 4 },
    { type: "integer", multipleOf: 6 },
    "breaking",
    "4 was accepted.",
  ),
  sent(
    "a format counts further",
    { type: "integer", format: "int32" },
    { type: "integer", format: "int64" },
    "additive",
    "Everything that was accepted still is.",
  ),
  sent(
    "a format counts less far",
    { type: "integer", format: "int64" },
    { type: "integer", format: "int32" },
    "breaking",
    "Greater numbers were accepted.",
  ),
  sent(
    "a format says nothing more",
    { type: "number" },
    { type: "number", format: "double" },
    "neutral",
    "JSON has one kind of number.",
  ),
  sent(
    "an address may be relative",
    { type: "string", format: "uri" },
    { type: "string", format: "uri-reference" },
    "additive",
    "Everything that was accepted still is.",
  ),
  sent(
    "the places of a tuple are swapped",
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    { type: "array", prefixItems: [{ type: "number" }, { type: "string" }] },
    "breaking",
    "What was accepted is refused.",
  ),
  sent(
    "the whole is closed by another word",
    { type: "object", properties: { a: {} }, additionalProperties: false },
    { type: "object", properties: { a: {} }, unevaluatedProperties: false },
    "neutral",
    "It says the same.",
  ),
  sent(
    "a reference gets words beside it",
    { $ref: "#/components/schemas/Part" },
    { allOf: [{ $ref: "#/components/schemas/Part" }, { description: "A part." }] },
    "neutral",
    "It says the same.",
  ),
  sent(
    "limits of two parts are taken together",
    { allOf: [{ type: "integer", minimum: 1 }, { maximum: 9 }] },
    { type: "integer", minimum: 1, maximum: 9 },
    "neutral",
    "It says the same.",
  ),
  sent(
    "a part holds a limit more",
    { allOf: [{ type: "integer", minimum: 1 }, { maximum: 9 }] },
    { allOf: [{ type: "integer", minimum: 1 }, { maximum: 8 }] },
    "breaking",
    "9 was accepted.",
  ),
  sent(
    "a part is made required by the whole",
    { allOf: [{ type: "object", properties: { a: {} } }, { properties: { b: {} } }] },
    { allOf: [{ type: "object", properties: { a: {} } }, { properties: { b: {} } }], required: ["a"] },
    "breaking",
    "Requests without it are refused.",
  ),
  sent(
    "a required field is only read",
    { type: "object", required: ["a"], properties: { a: { type: "string" }, b: {} } },
    { type: "object", required: ["a"], properties: { a: { type: "string", readOnly: true }, b: {} } },
    "breaking",
    "Callers that send it no longer get its effect.",
  ),
  sent(
    "a field that is only read goes",
    { type: "object", properties: { a: { type: "string", readOnly: true }, b: {} } },
    { type: "object", properties: { b: {} } },
    "neutral",
    "It was never sent.",
  ),
  both(
    "a required field comes that is only read",
    { type: "object", properties: { a: {} } },
    { type: "object", required: ["id"], properties: { a: {}, id: { type: "string", readOnly: true } } },
    "additive or neutral",
    "It is never sent, and nobody read it before.",
  ),
  both(
    "a field that is only read is made required",
    { type: "object", properties: { a: { type: "string", readOnly: true }, b: {} } },
    { type: "object", required: ["a"], properties: { a: { type: "string", readOnly: true }, b: {} } },
    "additive or neutral",
    "It is never sent, and always read now.",
  ),
  both(
    "a field that is only written is made required",
    { type: "object", properties: { a: { type: "string", writeOnly: true } } },
    { type: "object", required: ["a"], properties: { a: { type: "string", writeOnly: true } } },
    "breaking",
    "Requests without it are refused.",
  ),
];
