import { type Case, change } from "./case.ts";

export const documentation: readonly Case[] = [
  change(
    "the basis of a fact becomes stronger",
    "training",
    (draft) => draft.set("/components/parameters/Limit/x-basis", "interface"),
    ["neutral", "basis-changed", "parameter Limit", "send"],
  ),
  change(
    "the basis of a fact becomes weaker",
    "training",
    (draft) => draft.set("Model/properties/id/x-basis", "proposed"),
    ["warning", "basis-withdrawn", "Model.id", "read"],
  ),
  change(
    "a rule is added",
    "training",
    (draft) => draft.set("models.create/x-rules", [{ id: "unique", basis: "proposed", text: "Names are unique." }]),
    ["neutral", "promise-added", "models.create", "call"],
  ),
  change(
    "a property is no longer sensitive",
    "training",
    (draft) => draft.remove("TextPart/properties/text/x-sensitive"),
    ["warning", "sensitive-removed", "TextPart.text", "send"],
  ),
  change("a property becomes sensitive", "training", (draft) => draft.set("Model/properties/name/x-sensitive", true), [
    "neutral",
    "sensitive-added",
    "Model.name",
    "read",
  ]),
  change("a description changes", "training", (draft) => draft.set("Trajectory/description", "Other words."), [
    "neutral",
    "description-changed",
    "Trajectory",
    "send",
  ]),
  change("a title changes", "training", (draft) => draft.set("TextPart/title", "Words"), [
    "neutral",
    "title-changed",
    "TextPart",
    "send",
  ]),
  change(
    "an example is added to a body",
    "inference",
    (draft) => draft.set("models.list/responses/200/content/application~1json/examples/more", { value: {} }),
    ["neutral", "example-changed", "models.list › 200", "read"],
  ),
  change(
    "a shared example changes",
    "inference",
    (draft) => draft.set("/components/examples/payment-required/summary", "Empty"),
    ["neutral", "example-changed", "example payment-required", "call"],
  ),
  change("a tag changes", "training", (draft) => draft.set("models.create/tags", ["model"]), [
    "neutral",
    "tag-changed",
    "models.create",
    "call",
  ]),
  change("the title of the document changes", "training", (draft) => draft.set("/info/title", "Trainer"), [
    "neutral",
    "info-changed",
    "info",
    "call",
  ]),
  change(
    "a property is no longer deprecated",
    "training",
    (draft) => draft.remove("AssistantMessage/properties/function_call/deprecated"),
    ["neutral", "undeprecated", "AssistantMessage.function_call", "send"],
  ),
  change(
    "a default of OpenAPI is written out",
    "training",
    (draft) => draft.set("LogRequest/properties/split/minLength", 0),
    ["neutral", "rewritten", "LogRequest.split", "send"],
  ),
  change(
    "the order of the required properties changes",
    "training",
    (draft) => draft.list("LogRequest/required").reverse(),
    ["neutral", "rewritten", "LogRequest", "send"],
  ),
];
