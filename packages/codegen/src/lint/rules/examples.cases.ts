import type { JsonObject } from "@trainyard/core/validation";
import { answer, contentOf, operation, operationOf, type Cases } from "../cases.ts";

const answering = (content: JsonObject): JsonObject => operationOf({ responses: { "200": contentOf(content) } });
const named = (examples: JsonObject): JsonObject => answering({ examples });
const good = { summary: "A thing that was just made", value: { name: "lamp" } };
const bodiless = (part: string): string =>
  `The ${part} of POST /things has no example of application/json. Add a named example to \`examples\`.`;

export const cases: Cases = {
  pass: {
    "a named example": { document: named({ "just-made": good }) },
    "an example in a file": {
      document: named({ "just-made": { $ref: "examples/just-made.yaml" } }),
      files: { "examples/just-made.yaml": good },
    },
    "a response without a body": { document: operationOf({ responses: { "200": { description: "Fine." } } }) },
    "the schema of a tool in an example": {
      document: named({ tool: { ...good, value: { parameters: { type: "string" } } } }),
    },
  },
  fail: {
    "a response without an example": { document: answering({}), says: bodiless("response 200"), at: answer },
    "a request without an example": {
      document: operationOf({ requestBody: contentOf({}) }),
      says: bodiless("request"),
      at: `${operation}/requestBody/content/application~1json`,
    },
    "an example without a name": {
      document: answering({ example: { name: "lamp" }, examples: { "just-made": good } }),
      says: "An example must have a name. Move it to `examples`.",
      at: `${answer}/example`,
    },
    ...Object.fromEntries(
      ["string", "default", "example1", "example", "Example-2"].map((name) => [
        `an example named ${name}`,
        {
          document: named({ [name]: good }),
          says: `\`${name}\` does not describe the case. Name the example after what it shows.`,
          at: `${answer}/examples/${name}`,
        },
      ]),
    ),
    "an example without a summary": {
      document: named({ "just-made": { value: { name: "lamp" } } }),
      says: "An example must have a `summary` that describes its case. Write one by which readers can choose the example.",
      at: `${answer}/examples/just-made/summary`,
    },
    "a summary that says nothing": {
      document: named({ "just-made": { ...good, summary: "Example 1" } }),
      says: "An example must have a `summary` that describes its case. Write one by which readers can choose the example.",
      at: `${answer}/examples/just-made/summary`,
    },
    "a value that is a placeholder": {
      document: named({ "just-made": { ...good, value: { parts: [{ name: "string" }] } } }),
      says: 'The value "string" is a placeholder. Write a realistic value.',
      at: `${answer}/examples/just-made/value/parts/0/name`,
    },
  },
};
