import { type Case, change } from "./case.ts";

const paused = {
  type: "object",
  required: ["id", "type"],
  properties: { id: { type: "string" }, type: { type: "string", const: "training_paused" } },
};

export const unions: readonly Case[] = [
  change(
    "a request accepts an additional variant",
    "training",
    (draft) => {
      draft.set("VideoPart", { type: "object", required: ["type"], properties: { type: { const: "video" } } });
      draft.list("UserContentPart/oneOf").push({ $ref: "#/components/schemas/VideoPart" });
      draft.set("UserContentPart/discriminator/mapping/video", "#/components/schemas/VideoPart");
    },
    ["additive", "schema-added", "VideoPart", "import"],
    ["additive", "variant-added", "UserContentPart(VideoPart)", "send"],
  ),
  change(
    "a response may be an additional variant",
    "training",
    (draft) => {
      draft.set("TrainingPausedEvent", paused);
      draft.list("TrainingJobEvent/oneOf").push({ $ref: "#/components/schemas/TrainingPausedEvent" });
      draft.set("TrainingJobEvent/discriminator/mapping/training_paused", "#/components/schemas/TrainingPausedEvent");
    },
    ["additive", "schema-added", "TrainingPausedEvent", "import"],
    ["breaking", "variant-added", "TrainingJobEvent(TrainingPausedEvent)", "read"],
  ),
  change(
    "a variant is removed from a request",
    "training",
    (draft) => {
      draft.remove("UserContentPart/oneOf/3");
      draft.remove("UserContentPart/discriminator/mapping/file");
    },
    ["breaking", "variant-removed", "UserContentPart(FilePart)", "send"],
  ),
  change(
    "a variant is removed from a response",
    "training",
    (draft) => {
      draft.remove("TrainingJobEvent/oneOf/1");
      draft.remove("TrainingJobEvent/discriminator/mapping/gradient_step");
    },
    ["breaking", "variant-removed", "TrainingJobEvent(GradientStepEvent)", "read"],
  ),
  change(
    "the discriminator's mapping changes",
    "training",
    (draft) => draft.set("UserContentPart/discriminator/mapping/file", "#/components/schemas/ImagePart"),
    ["breaking", "discriminator-changed", "UserContentPart", "send"],
  ),
  change(
    "the discriminator's property changes",
    "training",
    (draft) => draft.set("TrainingJobEvent/discriminator/propertyName", "kind"),
    ["breaking", "discriminator-changed", "TrainingJobEvent", "read"],
  ),
  change("a discriminator is removed", "training", (draft) => draft.remove("TrainingJobEvent/discriminator"), [
    "breaking",
    "discriminator-changed",
    "TrainingJobEvent",
    "read",
  ]),
  change(
    "anyOf becomes oneOf",
    "training",
    (draft) => {
      draft.set("MessageOrChoice/oneOf", draft.get("MessageOrChoice/anyOf"));
      draft.remove("MessageOrChoice/anyOf");
    },
    ["breaking", "union-stricter", "MessageOrChoice", "send"],
  ),
  change(
    "a single schema becomes a union",
    "training",
    (draft) => {
      draft.remove("LogRequest/properties/split/type");
      draft.set("LogRequest/properties/split/anyOf", [{ type: "string" }, { type: "array" }]);
    },
    ["additive", "variant-added", "LogRequest.split(variant 2)", "send"],
  ),
  change(
    "a union becomes a single schema",
    "training",
    (draft) => draft.set("UserMessage/properties/content/anyOf", [{ title: "Text", type: "string" }]),
    ["breaking", "variant-removed", "UserMessage.content(Parts)", "send"],
  ),
  change("the order of the variants changes", "training", (draft) => draft.list("UserContentPart/oneOf").reverse(), [
    "neutral",
    "rewritten",
    "UserContentPart",
    "send",
  ]),
];
