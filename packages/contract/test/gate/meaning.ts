import { type Json } from "@trainyard/document";
import type { JsonObject } from "../../src/json.ts";
import { type Judgment, type Row, read, sent } from "./row.ts";

/** A change of what a caller sends, and the same change of what a caller reads. */
function eitherWay(name: string, before: Json, now: Json, judgment: Judgment, why: string): Row[] {
  return [sent(name, before, now, judgment, why), read(name, before, now, judgment, why)];
}

const text = { type: "string" };
const garbage = "The same text now stands for another value, so callers send or read garbage.";

/** How a text is encoded, with each change of it. */
function encodings(key: string, one: string, other: string): Row[] {
  const [plain, first, second]: JsonObject[] = [text, { ...text, [key]: one }, { ...text, [key]: other }];
  if (plain === undefined || first === undefined || second === undefined) return [];
  return [
    ...eitherWay(`${key} becomes another one`, first, second, "breaking", garbage),
    ...eitherWay(`${key} is added`, plain, first, "breaking or warning", garbage),
    ...eitherWay(`${key} is removed`, first, plain, "breaking or warning", garbage),
  ];
}

const words = { type: "array", items: text };
const numbered = { ...words, prefixItems: [{ type: "number" }] };
const first = { ...words, contains: { const: "a" } };
const closed = { type: "object", additionalProperties: false };
const open = { ...closed, patternProperties: { "^x-": text } };
const sealed = { type: "object", if: { required: ["b"] }, unevaluatedProperties: false };
const exempt = "It exempts values from a rule beside it, so the direction of the change is not that of the keyword.";

const thing = { type: "object", required: ["id"], properties: { id: text } };
const either = { oneOf: [thing, { type: "object", required: ["name"], properties: { name: text } }] };

/** Changes after which the same value means something else, or a keyword weakens another one beside it. */
export const meaning: readonly Row[] = [
  ...encodings("contentEncoding", "base64", "base16"),
  ...encodings("contentMediaType", "application/json", "application/yaml"),
  ...encodings("format", "byte", "binary"),
  ...eitherWay("the first items are exempt from the schema of items", words, numbered, "breaking", exempt),
  ...eitherWay("the first items are no longer exempt", numbered, words, "breaking", exempt),
  sent("names by a pattern are exempt from closing", closed, open, "additive", "More objects are accepted."),
  read("names by a pattern are exempt from closing", closed, open, "breaking", "Readers do not know them."),
  ...eitherWay("names by a pattern are no longer exempt", open, closed, "breaking", exempt),
  ...eitherWay(
    "a condition exempts properties from closing",
    sealed,
    { ...sealed, else: { properties: { b: text } } },
    "breaking",
    exempt,
  ),
  read(
    "a closed object beside a condition has a new property",
    sealed,
    { ...sealed, properties: { a: text } },
    "breaking",
    "Clients that check answers refuse it.",
  ),
  ...eitherWay(
    "the tag of a schema without a union becomes another one",
    { type: "object", discriminator: { propertyName: "type" } },
    { type: "object", discriminator: { propertyName: "kind" } },
    "breaking",
    "Another property says what the value is.",
  ),
  sent("no item must match any longer", first, { ...first, minContains: 0 }, "additive", "More lists are accepted."),
  sent("an item must match again", { ...first, minContains: 0 }, first, "breaking", "Lists are refused."),
  read("no item need match any longer", first, { ...first, minContains: 0 }, "breaking", "Readers may find none."),
  read("an item matches again", { ...first, minContains: 0 }, first, "additive", "Fewer lists are returned."),
  sent("an object becomes one of two", thing, either, "additive", "Callers that send the first still can."),
  read("an object becomes one of two", thing, either, "breaking", "Callers do not know the second."),
  sent("one of two objects remains", either, thing, "breaking", "The second is refused now."),
];
