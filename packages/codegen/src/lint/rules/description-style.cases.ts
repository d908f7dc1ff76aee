import { answerOf, answer, operation, operationOf, type Cases, type Failure } from "../cases.ts";

function wrong(description: string, says: string): Failure {
  return { document: operationOf({ description }), says, at: `${operation}/description` };
}

const opening =
  "Do not start a description with `This endpoint`, `Returns` or `Will`. Start with the thing itself or another verb.";

export const cases: Cases = {
  pass: {
    "a sentence": { document: operationOf({ description: "Creates a thing, or answers with the one that exists." }) },
    "a sentence that starts with code": { document: operationOf({ description: "`true` for one that exists." }) },
    "a property of that name": {
      document: answerOf({ properties: { description: { type: "string", description: "What it is." } } }),
    },
    "an introduction of two paragraphs": {
      document: operationOf({}, { info: { title: "Things", version: "1.0.0", description: "Things.\n\nAnd more." } }),
    },
  },
  fail: {
    "a rule without a period": {
      document: operationOf({ "x-rules": [{ id: "new", basis: "proposed", text: "It is new" }] }),
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
