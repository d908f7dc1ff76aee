import { type Case, casesOf, change } from "./case.ts";

const paused = {
  type: "object",
  required: ["id", "type"],
  properties: { id: { type: "string" }, type: { type: "string", const: "training_paused" } },
};

export const unions: readonly Case[] = [
  ...casesOf(`
training: a request accepts an additional variant
  | additive schema-added VideoPart import
  | additive variant-added UserContentPart(VideoPart) send
  set VideoPart {type: object, required: [type], properties: {type: {const: video}}}
  add UserContentPart/oneOf {$ref: "#/components/schemas/VideoPart"}
  set UserContentPart/discriminator/mapping/video "#/components/schemas/VideoPart"
training: a variant is removed from a request | breaking variant-removed UserContentPart(FilePart) send
  remove UserContentPart/oneOf/3
  remove UserContentPart/discriminator/mapping/file
training: a variant is removed from a response | breaking variant-removed TrainingJobEvent(GradientStepEvent) read
  remove TrainingJobEvent/oneOf/1
  remove TrainingJobEvent/discriminator/mapping/gradient_step
training: the discriminator's mapping changes | breaking discriminator-changed UserContentPart send
  set UserContentPart/discriminator/mapping/file "#/components/schemas/ImagePart"
training: the discriminator's property changes | breaking discriminator-changed TrainingJobEvent read
  set TrainingJobEvent/discriminator/propertyName kind
training: a discriminator is removed | breaking discriminator-changed TrainingJobEvent read
  remove TrainingJobEvent/discriminator
training: anyOf becomes oneOf | breaking union-stricter MessageOrChoice send
  copy MessageOrChoice/anyOf MessageOrChoice/oneOf
  remove MessageOrChoice/anyOf
training: a single schema becomes a union | additive variant-added LogRequest.split(variant 2) send
  remove LogRequest/properties/split/type
  set LogRequest/properties/split/anyOf [{type: string}, {type: array}]
training: a union becomes a single schema | breaking variant-removed UserMessage.content(Parts) send
  set UserMessage/properties/content/anyOf [{title: Text, type: string}]
`),
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
  change("the order of the variants changes", "training", (draft) => draft.list("UserContentPart/oneOf").reverse(), [
    "neutral",
    "rewritten",
    "UserContentPart",
    "send",
  ]),
];
