import { type Row, read, real } from "./row.ts";

const job = "TrainingJob/properties/status";

/** Values of what an operation returns. */
export const answerValues: readonly Row[] = [
  real(
    "a field becomes nullable",
    "training",
    (draft) => draft.set("Model/properties/name/type", ["string", "null"]),
    "breaking",
    "Callers that read it may get null.",
  ),
  real(
    "a field is no longer nullable",
    "training",
    (draft) => draft.set("TrainingJob/properties/error_message/type", "string"),
    "additive",
    "Readers already handle every remaining value.",
  ),
  real(
    "a constant becomes an enumeration",
    "training",
    (draft) => {
      draft.remove("CheckpointPage/properties/object/const");
      draft.set("CheckpointPage/properties/object/enum", ["list", "page"]);
    },
    "breaking or warning",
    "Readers may get a value that they do not know.",
  ),
  real(
    "an enumeration becomes any string",
    "training",
    (draft) => draft.remove(`${job}/enum`),
    "breaking or warning",
    "Readers may get values that they do not know.",
  ),
  real(
    "a value is added to an enumeration",
    "training",
    (draft) => draft.list(`${job}/enum`).push("paused"),
    "breaking",
    "The set is closed, so readers need not handle other values.",
  ),
  real(
    "a value is removed from an enumeration",
    "training",
    (draft) => draft.take(`${job}/enum`, "queued"),
    "breaking for source",
    "A `case` for it no longer compiles.",
  ),
  real(
    "a value of an enumeration is replaced",
    "training",
    (draft) => {
      draft.list(`${job}/enum`).push("waiting");
      draft.take(`${job}/enum`, "queued");
    },
    "breaking",
    "One change does not compensate for the other.",
  ),
  real(
    "a variant and its tag are added to a union",
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
    "The union is closed, so readers need not handle other variants.",
  ),
  real(
    "a variant is removed from a union, but not its schema",
    "training",
    (draft) => {
      draft.remove("TrainingJobEvent/oneOf/1");
      draft.remove("TrainingJobEvent/discriminator/mapping/gradient_step");
    },
    "breaking for source",
    "A `case` for it no longer compiles.",
  ),
  real(
    "two tags of a union are swapped",
    "training",
    (draft) => {
      const mapping = "TrainingJobEvent/discriminator/mapping";
      const [started, ended] = [draft.get(`${mapping}/training_started`), draft.get(`${mapping}/training_ended`)];
      draft.set(`${mapping}/training_started`, ended);
      draft.set(`${mapping}/training_ended`, started);
    },
    "breaking",
    "Each tag stands for another variant.",
  ),
  real(
    "a field may have any value",
    "training",
    (draft) => draft.remove("Model/properties/name/type"),
    "breaking",
    "Readers may get values that they do not know.",
  ),
  real(
    "the items of a list have another type",
    "training",
    (draft) => draft.set("DeletedCheckpoints/properties/not_found_steps/items", { type: "string" }),
    "breaking",
    "A number becomes a string.",
  ),
  real(
    "a number becomes an integer",
    "auxiliary",
    (draft) => draft.set("HardwarePricing/properties/cents_per_million_input_tokens/type", "integer"),
    "additive or neutral",
    "Every integer is a number.",
  ),
  real(
    "a format changes",
    "auxiliary",
    (draft) => draft.set("ObjSchema/properties/created_at/format", "date"),
    "breaking",
    "Callers that parse it by the old format fail.",
  ),
  real(
    "a lower limit is lowered",
    "training",
    (draft) => draft.set("Checkpoint/properties/step/minimum", -1),
    "breaking or warning",
    "Readers may get values that they do not know.",
  ),
  real(
    "a default changes",
    "training",
    (draft) => draft.set("CheckpointPage/properties/first_id/default", "none"),
    "warning or neutral or breaking",
    "The default tells readers what a missing field means.",
  ),
  real(
    "a list is limited to no items",
    "training",
    (draft) => draft.set("CheckpointPage/properties/data/maxItems", 0),
    "breaking",
    "Callers that read its items find none.",
  ),
  read(
    "an integer format becomes wider",
    { type: "object", properties: { n: { type: "integer", format: "int32" } } },
    { type: "object", properties: { n: { type: "integer", format: "int64" } } },
    "breaking or warning",
    "Readers with 32 bits may get larger numbers.",
  ),
  read(
    "an integer format becomes narrower",
    { type: "object", properties: { n: { type: "integer", format: "int64" } } },
    { type: "object", properties: { n: { type: "integer", format: "int32" } } },
    "additive or neutral",
    "Readers already handle every remaining value.",
  ),
  read(
    "a list is removed from a union with a string",
    { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    { type: "string" },
    "breaking or additive",
    "A comparison with it no longer compiles.",
  ),
];
