import { type Row, between, read, real } from "./row.ts";

const job = "TrainingJob/properties/status";

/** What callers read: fields, values, variants, headers, statuses. */
export const answers: readonly Row[] = [
  real(
    "a field is removed",
    "training",
    (draft) => draft.remove("TrainingJob/properties/training_end"),
    "breaking",
    "Callers that read it get nothing.",
  ),
  real(
    "a required field is made optional",
    "training",
    (draft) => draft.take("Checkpoint/required", "metrics"),
    "breaking",
    "Callers that read it may get nothing.",
  ),
  real(
    "a field may be null",
    "training",
    (draft) => draft.set("Model/properties/name/type", ["string", "null"]),
    "breaking",
    "Callers that read it may get null.",
  ),
  real(
    "a field is never null",
    "training",
    (draft) => draft.set("TrainingJob/properties/error_message/type", "string"),
    "additive",
    "What readers understand covers it.",
  ),
  real(
    "a constant may be another value as well",
    "training",
    (draft) => {
      draft.remove("CheckpointPage/properties/object/const");
      draft.set("CheckpointPage/properties/object/enum", ["list", "page"]);
    },
    "breaking or warning",
    "Readers meet a value that they have not met before.",
  ),
  real(
    "an enumeration becomes any text",
    "training",
    (draft) => draft.remove(`${job}/enum`),
    "breaking or warning",
    "Callers may receive values that they do not know.",
  ),
  real(
    "a value comes",
    "training",
    (draft) => draft.list(`${job}/enum`).push("paused"),
    "breaking",
    "The set is closed: readers need not know more.",
  ),
  real(
    "a value goes",
    "training",
    (draft) => draft.take(`${job}/enum`, "queued"),
    "breaking for source",
    "A `case` for it no longer compiles.",
  ),
  real(
    "a value comes and another goes",
    "training",
    (draft) => {
      draft.list(`${job}/enum`).push("waiting");
      draft.take(`${job}/enum`, "queued");
    },
    "breaking",
    "One change does not make up for the other.",
  ),
  real(
    "a variant comes, with its tag",
    "training",
    (draft) => {
      draft.set("PausedEvent", {
        type: "object",
        required: ["type"],
        properties: { type: { type: "string", const: "paused" } },
      });
      draft.list("TrainingJobEvent/oneOf").push({ $ref: "#/components/schemas/PausedEvent" });
      draft.set("TrainingJobEvent/discriminator/mapping/paused", "#/components/schemas/PausedEvent");
    },
    "breaking or warning",
    "The union is closed: readers need not know more.",
  ),
  real(
    "a variant goes, and its schema stays",
    "training",
    (draft) => {
      draft.remove("TrainingJobEvent/oneOf/1");
      draft.remove("TrainingJobEvent/discriminator/mapping/gradient_step");
    },
    "breaking for source",
    "A `case` for it no longer compiles.",
  ),
  real(
    "two tags are swapped",
    "training",
    (draft) => {
      const mapping = "TrainingJobEvent/discriminator/mapping";
      const [started, ended] = [draft.get(`${mapping}/training_started`), draft.get(`${mapping}/training_ended`)];
      draft.set(`${mapping}/training_started`, ended);
      draft.set(`${mapping}/training_ended`, started);
    },
    "breaking",
    "Another property says which variant a value is.",
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
    "Callers that read the old name get nothing.",
  ),
  real(
    "a required field comes",
    "training",
    (draft) => {
      draft.set("Model/properties/plumage", { type: "string" });
      draft.list("Model/required").push("plumage");
    },
    "additive",
    "It is new, so no program reads it yet.",
  ),
  real(
    "a field is whatever comes",
    "training",
    (draft) => draft.remove("Model/properties/name/type"),
    "breaking",
    "Callers may receive values that they do not know.",
  ),
  real(
    "the items of a list are of another type",
    "training",
    (draft) => draft.set("DeletedCheckpoints/properties/not_found_steps/items", { type: "string" }),
    "breaking",
    "What was a number is a text.",
  ),
  real(
    "a number becomes an integer",
    "auxiliary",
    (draft) => draft.set("HardwarePricing/properties/cents_per_million_input_tokens/type", "integer"),
    "additive or neutral",
    "Every integer is a number.",
  ),
  real(
    "another format",
    "auxiliary",
    (draft) => draft.set("ObjSchema/properties/created_at/format", "date"),
    "breaking",
    "Who parses it by the old format fails.",
  ),
  real(
    "a lower limit falls",
    "training",
    (draft) => draft.set("Checkpoint/properties/step/minimum", -1),
    "breaking or warning",
    "Callers may receive values that they do not know.",
  ),
  real(
    "a default is another",
    "training",
    (draft) => draft.set("CheckpointPage/properties/first_id/default", "none"),
    "warning or neutral or breaking",
    "It says what holds where nothing is answered.",
  ),
  real(
    "a field is read only",
    "training",
    (draft) => draft.set("Model/properties/id/readOnly", true),
    "neutral or additive",
    "It was only read before.",
  ),
  real(
    "a field refers to another schema",
    "training",
    (draft) => draft.set("ChatCompletion/properties/usage/$ref", "#/components/schemas/StreamOptions"),
    "breaking",
    "It holds something else.",
  ),
  real(
    "the entries of a map are gone",
    "training",
    (draft) => draft.set("Checkpoint/properties/metrics/additionalProperties", false),
    "breaking",
    "Who reads the entries finds none.",
  ),
  real(
    "the entries of an open object are gone",
    "auxiliary",
    (draft) => draft.set("HardwareOption/properties/specs/additionalProperties", false),
    "breaking",
    "Who reads the entries finds none.",
  ),
  real(
    "properties beside the described ones are refused",
    "training",
    (draft) => draft.set("DeletedModel/additionalProperties", false),
    "additive or neutral",
    "Nobody was promised others.",
  ),
  real(
    "a list can only be empty",
    "training",
    (draft) => draft.set("CheckpointPage/properties/data/maxItems", 0),
    "breaking",
    "Who reads its items finds none.",
  ),
  real(
    "a body is gone",
    "training",
    (draft) => draft.remove("models.delete/responses/200/content"),
    "breaking",
    "Callers that read it get nothing.",
  ),
  real(
    "200 becomes 201",
    "training",
    (draft) => {
      draft.set("models.create/responses/201", draft.get("models.create/responses/200"));
      draft.remove("models.create/responses/200");
    },
    "breaking",
    "Who waits for 200 waits in vain.",
  ),
  real(
    "an error comes",
    "training",
    (draft) => draft.set("models.create/responses/402", { description: "Pay." }),
    "additive or neutral",
    "Callers know errors by status alone.",
  ),
  real(
    "an error goes",
    "training",
    (draft) => draft.remove("models.delete/responses/404"),
    "warning",
    "Who handles it waits in vain; nothing fails.",
  ),
  real(
    "all errors become one",
    "training",
    (draft) => {
      const unauthorized = draft.get("models.delete/responses/401");
      for (const status of ["401", "404", "429"]) draft.remove(`models.delete/responses/${status}`);
      draft.set("models.delete/responses/default", unauthorized);
    },
    "warning or breaking or additive",
    "Each of them may still come.",
  ),
  real(
    "an error's body may be null",
    "training",
    (draft) => draft.set("DetailError/properties/detail/type", ["string", "null"]),
    "breaking",
    "Callers that read it may get null.",
  ),
  real(
    "an error's body is one of fewer",
    "inference",
    (draft) => {
      draft.remove("InferenceErrorBody/anyOf/1");
      draft.remove("InferenceLayerError");
    },
    "additive or neutral",
    "What readers understand covers it; clients give the body untyped.",
  ),
  real(
    "a stream is gone",
    "training",
    (draft) => {
      draft.remove("chat.completions.create/responses/200/content/text~1event-stream");
      draft.remove("chat.completions.create/x-stream");
    },
    "breaking",
    "Callers that request this media type receive another one.",
  ),
  real(
    "a stream's chunk loses a field",
    "training",
    (draft) => draft.remove("ChatCompletionChunk/properties/usage"),
    "breaking",
    "Callers that read it get nothing.",
  ),
  real(
    "another media type",
    "inference",
    (draft) => draft.set("models.list/responses/200/content/text~1csv", { schema: { type: "string" } }),
    "additive or warning",
    "Who asks for the old one still gets it.",
  ),
  real(
    "a header comes only sometimes",
    "training",
    (draft) => draft.set("/components/headers/RequestId/required", false),
    "breaking or warning",
    "Callers that read it may get nothing.",
  ),
  real(
    "a header is of another type",
    "training",
    (draft) => draft.set("/components/headers/RetryAfter/schema", { type: "string" }),
    "breaking",
    "What was a number is a text.",
  ),
  real(
    "a header's name is written in capitals",
    "inference",
    (draft) => {
      const headers = "models.list/responses/200/headers";
      draft.set(`${headers}/X-Request-Id`, draft.get(`${headers}/x-request-id`));
      draft.remove(`${headers}/x-request-id`);
    },
    "neutral or additive",
    "Names of headers have no case.",
  ),
  real(
    "a link comes",
    "training",
    (draft) => draft.set("models.create/responses/200/links", { log: { operationId: "log" } }),
    "neutral or additive",
    "The answer stays as it is.",
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
    "a schema is written where it is used",
    "training",
    (draft) => {
      draft.set("health.check/responses/200/content/application~1json/schema", draft.get("Health"));
      draft.remove("Health");
    },
    "breaking for source",
    "The client no longer exports the type.",
  ),
  real(
    "a schema is written as what it is made of",
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
    "It is made of other parts and is the same.",
  ),
  read(
    "a field comes into a part of the whole",
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
    "a field goes from a part of the whole",
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
    "Callers that read it get nothing.",
  ),
  read(
    "a field goes from one part into another",
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
    "The whole is the same.",
  ),
  read(
    "a format counts further",
    { type: "object", properties: { n: { type: "integer", format: "int32" } } },
    { type: "object", properties: { n: { type: "integer", format: "int64" } } },
    "breaking or warning",
    "A reader of 32 bits meets greater numbers.",
  ),
  read(
    "a format counts less far",
    { type: "object", properties: { n: { type: "integer", format: "int64" } } },
    { type: "object", properties: { n: { type: "integer", format: "int32" } } },
    "additive or neutral",
    "What readers understand covers it.",
  ),
  read(
    "a required field is only written",
    { type: "object", required: ["a"], properties: { a: { type: "string" } } },
    { type: "object", required: ["a"], properties: { a: { type: "string", writeOnly: true } } },
    "breaking",
    "Callers that read it get nothing.",
  ),
  read(
    "a field that is only written is gone",
    { type: "object", properties: { a: { type: "string", writeOnly: true }, b: { type: "string" } } },
    { type: "object", properties: { b: { type: "string" } } },
    "neutral",
    "It was never answered.",
  ),
  read(
    "a member leaves a union of lists",
    { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    { type: "string" },
    "breaking or additive",
    "A comparison with it no longer compiles.",
  ),
  read(
    "a field that was only written is read",
    { type: "object", properties: { a: { type: "string", writeOnly: true }, b: {} } },
    { type: "object", properties: { a: { type: "string" }, b: {} } },
    "additive",
    "It is new, so no program reads it yet.",
  ),
  between(
    "read: a link leads elsewhere",
    { operation: { responses: { "200": { description: "Done.", links: { next: { operationId: "run" } } } } } },
    { operation: { responses: { "200": { description: "Done.", links: { next: { operationId: "stop" } } } } } },
    "neutral or warning",
    "It said what may be called next.",
  ),
  between(
    "read: a link goes",
    { operation: { responses: { "200": { description: "Done.", links: { next: { operationId: "run" } } } } } },
    { operation: { responses: { "200": { description: "Done." } } } },
    "warning or neutral",
    "It said what may be called next.",
  ),
];
