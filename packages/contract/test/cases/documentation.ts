import { type Case, casesOf, change } from "./case.ts";

export const documentation: readonly Case[] = [
  ...casesOf(`
training: the basis of a fact becomes stronger | neutral basis-changed parameter Limit send
  set /components/parameters/Limit/x-basis interface
training: the basis of a fact becomes weaker | warning basis-withdrawn Model.id read
  set Model/properties/id/x-basis proposed
training: a rule is added | neutral promise-added models.create call
  set models.create/x-rules [{id: unique, basis: proposed, text: Names are unique.}]
training: a property is no longer sensitive | warning sensitive-removed TextPart.text send
  remove TextPart/properties/text/x-sensitive
training: a property becomes sensitive | neutral sensitive-added Model.name read
  set Model/properties/name/x-sensitive true
training: a description changes | neutral description-changed Trajectory send
  set Trajectory/description Other words.
training: a title changes | neutral title-changed TextPart send
  set TextPart/title Words
inference: an example is added to a body | neutral example-changed models.list › 200 read
  set models.list/responses/200/content/application~1json/examples/more {value: {}}
inference: a shared example changes | neutral example-changed example payment-required call
  set /components/examples/payment-required/summary Empty
training: a tag changes | neutral tag-changed models.create call
  set models.create/tags [model]
training: the title of the document changes | neutral info-changed info call
  set /info/title Trainer
training: a property is no longer deprecated | neutral undeprecated AssistantMessage.function_call send
  remove AssistantMessage/properties/function_call/deprecated
training: a default of OpenAPI is written out | neutral rewritten LogRequest.split send
  set LogRequest/properties/split/minLength 0
`),
  change(
    "the order of the required properties changes",
    "training",
    (draft) => draft.list("LogRequest/required").reverse(),
    ["neutral", "rewritten", "LogRequest", "send"],
  ),
];
