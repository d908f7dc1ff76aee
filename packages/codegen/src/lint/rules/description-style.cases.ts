import { answerOf, answer, operation, operationOf, type Cases, type Failure } from "../cases.ts";

function wrong(description: string, says: string): Failure {
  return { document: operationOf({ description }), says, at: `${operation}/description` };
}

const opening =
  "Do not start a description with `This endpoint`, `Returns` or `Will`. Start with the thing itself or another verb.";

const subject = (word: string) =>
  `A rule is read alone, so nobody knows what \`${word}\` is. Start with the name of the thing.`;

/** A property whose description repeats a keyword. */
function repeats(schema: object, description: string, key: string): Failure {
  return {
    document: answerOf({ properties: { size: { ...schema, description } } }),
    says: `The description repeats \`${key}\`, which the reference prints beside it. Remove it from the description.`,
    at: `${answer}/schema/properties/size/description`,
  };
}

const limit = (description: string) => ({ name: "limit", in: "query", description, schema: { maximum: 20 } });

export const cases: Cases = {
  pass: {
    "a sentence": { document: operationOf({ description: "Creates a thing, or answers with the one that exists." }) },
    "numbers that are not the limits": {
      document: answerOf({
        properties: {
          at: {
            minimum: 0,
            maximum: 12,
            default: 2,
            description: "From 1 to 120, up to 20 or 12.5; the default is 20.",
          },
          name: { description: "A name.", "x-rules": [{ id: "once", basis: "proposed", text: "It is unique." }] },
        },
      }),
    },
    "a sentence that starts with code": { document: operationOf({ description: "`true` for one that exists." }) },
    "a property of that name": {
      document: answerOf({ properties: { description: { type: "string", description: "What it is." } } }),
    },
    "an introduction of two paragraphs": {
      document: operationOf({}, { info: { title: "Things", version: "1.0.0", description: "Things.\n\nAnd more." } }),
    },
  },
  fail: {
    "a rule that begins with a pronoun": {
      document: operationOf({ "x-rules": [{ id: "new", basis: "proposed", text: "They are new." }] }),
      says: subject("They"),
      at: `${operation}/x-rules/0/text`,
    },
    "a rule of an operation that begins with `It`": {
      document: operationOf({ "x-rules": [{ id: "new", basis: "proposed", text: "It creates a thing." }] }),
      says: subject("It"),
      at: `${operation}/x-rules/0/text`,
    },
    "a range": repeats({ minimum: 1, maximum: 10_000 }, "The number of things, from 1 to 10,000.", "minimum"),
    "a range with words between": repeats({ minimum: 0, maximum: 2 }, "How free, from 0 (not at all) to 2.", "minimum"),
    "an upper limit": repeats({ maximum: 120 }, "Seconds to wait, at most 120.", "maximum"),
    "the number of characters": repeats(
      { minLength: 1, maxLength: 128 },
      "A name of 1 to 128 characters.",
      "maxLength",
    ),
    "a default": repeats({ default: "train" }, "The split; `train` by default.", "default"),
    "a default number": repeats({ default: 20 }, "How many things; 20 when omitted.", "default"),
    "the limit of a parameter": {
      document: operationOf({ parameters: [limit("The number of things, up to 20.")] }),
      says: "The description repeats `maximum`, which the reference prints beside it. Remove it from the description.",
      at: `${operation}/parameters/0/description`,
    },
    "a cure without a period": {
      document: operationOf({ responses: { "404": { description: "Nothing is there.", "x-cure": "Check the id" } } }),
      says: "A description must be a sentence. End it with a period.",
      at: `${operation}/responses/404/x-cure`,
    },
    "a rule without a period": {
      document: operationOf({ "x-rules": [{ id: "new", basis: "proposed", text: "A thing is new" }] }),
      says: "A description must be a sentence. End it with a period.",
      at: `${operation}/x-rules/0/text`,
    },
    "a small letter": wrong("creates a thing.", "A description must be a sentence. Start it with a capital letter."),
    "no period": wrong("Creates a thing", "A description must be a sentence. End it with a period."),
    "the summary again": {
      document: operationOf({ summary: "Create thing", description: "Create thing." }),
      says: "The description repeats the summary. Say what callers cannot guess, such as what it changes.",
      at: `${operation}/description`,
    },
    nothing: wrong(" ", "The description is empty. Say what it is, or leave it out."),
    "an opening without meaning": wrong("This endpoint creates a thing.", opening),
    "a return": wrong("Returns the thing.", opening),
    "the future tense": wrong("The thing will be made.", "Write a description in the present tense, without `will`."),
    "a word that we avoid": wrong(
      "A stub of the thing.",
      "Use the project's words. Write client, document, mock or local server for `SDK`, `spec file`, `stub`, `fake`, `sandbox` and `emulator`.",
    ),
    "a code block": wrong(
      "A thing:\n```\nlamp\n```.",
      "A description must not contain a code block. Move it to a guide or to an example.",
    ),
    "two paragraphs": wrong(
      "Creates a thing.\n\nIt is new.",
      "A description must be one short paragraph. Shorten it, and move the rest to a guide.",
    ),
    "six hundred and one characters": wrong(
      `A${"a".repeat(599)}.`,
      "A description has at most 600 characters, and this one has 601. Shorten it, and move the rest to a guide.",
    ),
    "a property's": {
      document: answerOf({ properties: { id: { type: "string", description: "the id" } } }),
      says: "A description must be a sentence. Start it with a capital letter.",
      at: `${answer}/schema/properties/id/description`,
    },
    "a description beside a reference": {
      document: answerOf({ $ref: "#/components/schemas/Thing", description: "the thing" }, { Thing: {} }),
      says: "A description must be a sentence. Start it with a capital letter.",
      at: `${answer}/schema/description`,
    },
  },
};
