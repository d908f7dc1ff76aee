import { answer, answerOf, contentOf, operation, operationOf, type Cases, type Failure } from "../cases.ts";

const parameter = { name: "Project", in: "header", schema: { type: "string" } };
const reference = { $ref: "#/components/schemas/Text" };
const keys =
  "x-trainyard, x-basis, x-client-method, x-alias-of, x-resend, x-safe, x-timeout, x-pagination, x-stream, x-client-option, " +
  "x-sensitive, x-extensible, x-rules, x-cure and x-invalid-status";

/** An operation whose key has an invalid value. */
function malformed(key: string, value: unknown, mustBe: string): Failure {
  return { document: operationOf({ [key]: value }), says: `\`${key}\` must be ${mustBe}.`, at: `${operation}/${key}` };
}

const page = "an object like `{cursor: after, item: id, more: has_more}`";
const stream = 'an object like `{toggle: stream, end: "[DONE]"}`, with `fold: chat` for chunks of a chat completion';
const method = "a group and a method in camel case with dots between, such as `models.checkpoints.list`";
const seconds = "a number of seconds above 0 (leave it out for 60, the default)";

const rule = { id: "second", basis: "proposed", text: "A second one is refused." };
const rules = "a list like `[{id: name-unique, basis: proposed, text: The name is unique.}]`, with ids in lower case";

const resend =
  "`always`, `with-key`, `never`, or an object like `{rule: with-key, always-if: {return_existing: true}}`, whose rule is not `always`";

export const cases: Cases = {
  pass: {
    "each key of an operation": {
      document: operationOf({
        "x-basis": "proposed",
        "x-client-method": "things.parts.create",
        "x-alias-of": "create_thing",
        "x-resend": "with-key",
        "x-timeout": 0.5,
        "x-pagination": { cursor: "after", item: "id", more: "has_more" },
        "x-stream": { toggle: "stream", end: "[DONE]", fold: "chat" },
        "x-rules": [{ id: "second", basis: "proposed", text: "A second one of the same name is refused." }],
      }),
    },
    "a parameter with an option": {
      document: operationOf({ parameters: [{ ...parameter, "x-client-option": "project" }] }),
    },
    "a sensitive property": {
      document: answerOf({ properties: { secret: { type: "string", "x-sensitive": true } } }),
    },
    "a limit with its own status": {
      document: answerOf({ properties: { path: { type: "string", pattern: "^a", "x-invalid-status": 400 } } }),
    },
    "a sensitive property by reference": {
      document: answerOf({ properties: { secret: { ...reference, "x-sensitive": true } } }, { Text: {} }),
    },
    "names that begin like our keys": {
      document: operationOf({
        responses: {
          "200": { description: "Fine.", headers: { "x-request-id": { schema: { properties: { "x-y": {} } } } } },
        },
      }),
    },
  },
  fail: {
    "an unknown key": {
      document: operationOf({ "x-retry": true }),
      says: `\`x-retry\` is not one of the contract's keys. Use ${keys}, or remove it.`,
      at: `${operation}/x-retry`,
    },
    "a key where it has no effect": {
      document: answerOf({ type: "object", "x-timeout": 5 }),
      says: "`x-timeout` has no effect here. Move it to its Operation, or remove it.",
      at: `${answer}/schema/x-timeout`,
    },
    "a key of ours beside a reference": {
      document: answerOf({ properties: { secret: { ...reference, "x-sensitive": "yes" } } }, { Text: {} }),
      says: "`x-sensitive` must be `true`, or left out.",
      at: `${answer}/schema/properties/secret/x-sensitive`,
    },
    "another basis": malformed("x-basis", "guessed", "`interface`, `adopted` or `proposed`"),
    "a method in snake case": malformed("x-client-method", "things.create_one", method),
    "a method without a group": malformed("x-client-method", "create", method),
    "a method that ends in a dot": malformed("x-client-method", "things.", method),
    "a different x-resend": malformed("x-resend", true, resend),
    "a condition of a call that is always retried": malformed(
      "x-resend",
      { rule: "always", "always-if": { a: 1 } },
      resend,
    ),
    "a condition without values": malformed("x-resend", { rule: "never", "always-if": {} }, resend),
    "a condition on an object": malformed("x-resend", { rule: "never", "always-if": { a: {} } }, resend),
    "a timeout of zero": malformed("x-timeout", 0, seconds),
    "a timeout as text": malformed("x-timeout", "5 s", seconds),
    "the default timeout": malformed("x-timeout", 60, seconds),
    "a pagination without its cursor": malformed("x-pagination", { item: "id", more: "has_more" }, page),
    "a pagination with an unknown member": malformed(
      "x-pagination",
      { cursor: "a", item: "b", more: "c", size: "d" },
      page,
    ),
    "a stream without an end": malformed("x-stream", { toggle: "stream" }, stream),
    "a stream with an unknown fold": malformed("x-stream", { toggle: "stream", end: "[DONE]", fold: "sum" }, stream),
    "an empty alias": malformed("x-alias-of", "", "the operationId of another operation"),
    "a rule without its basis": malformed("x-rules", [{ id: "second", text: "A second one is refused." }], rules),
    "a rule without an id": malformed("x-rules", [{ basis: "proposed", text: "A second one is refused." }], rules),
    "an id in camel case": malformed("x-rules", [{ ...rule, id: "secondOne" }], rules),
    "two rules with one id": {
      document: operationOf(
        {
          "x-rules": [rule],
          parameters: [{ ...parameter, schema: reference }],
          responses: { "200": contentOf({ schema: reference }) },
        },
        { components: { schemas: { Text: { type: "string", "x-rules": [rule] } } } },
      ),
      says: "Another rule has the id `second`. Choose an id of its own.",
      at: `#/components/schemas/Text/x-rules/0/id`,
    },
    "an option that is not an identifier": {
      document: operationOf({ parameters: [{ ...parameter, "x-client-option": "the-project" }] }),
      says: "`x-client-option` must be a name in camel case, such as `project`.",
      at: `${operation}/parameters/0/x-client-option`,
    },
    "a sensitive property with the value false": {
      document: answerOf({ properties: { secret: { type: "string", "x-sensitive": false } } }),
      says: "`x-sensitive` must be `true`, or left out.",
      at: `${answer}/schema/properties/secret/x-sensitive`,
    },
    "a sensitive schema": {
      document: answerOf({ type: "object", "x-sensitive": true }),
      says: "`x-sensitive` is allowed only on a property. Move it to the property that has this value.",
      at: `${answer}/schema/x-sensitive`,
    },
  },
};
