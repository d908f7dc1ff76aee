/** The contract's own keys: where each may stand and what it may hold. Their one home. */

/** A JSON Schema of dialect 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Extension {
  /** What the key says, in a sentence. */
  readonly says: string;
  /** The kinds of object that may carry it, by OpenAPI's names. */
  readonly on: readonly string[];
  /** What its value must fit. */
  readonly schema: JsonSchema;
  /** The same in words, to end the sentence "`x-timeout` must be …". */
  readonly mustBe: string;
}

const word: JsonSchema = { type: "string", pattern: "^[a-z][a-zA-Z0-9]*$" };
const name: JsonSchema = { type: "string", minLength: 1 };

/** Every key that a document may use. A key that is not here is a lint error. */
export const extensions: Readonly<Record<`x-${string}`, Extension>> = {
  "x-basis": {
    says: "Where the fact comes from.",
    on: "Info Server Tag SecurityScheme Operation Parameter RequestBody Response Header MediaType Schema".split(" "),
    schema: { enum: ["interface", "adopted", "proposed"] },
    mustBe: "`interface`, `adopted` or `proposed`",
  },
  "x-client-method": {
    says: "The method of the client that calls the operation.",
    on: ["Operation"],
    schema: { type: "string", pattern: "^[a-z][a-zA-Z0-9]*(\\.[a-z][a-zA-Z0-9]*)+$" },
    mustBe: "a group and a method in camel case with dots between, such as `models.checkpoints.list`",
  },
  "x-alias-of": {
    says: "The operationId of the operation that this one repeats; it then has no method of its own.",
    on: ["Operation"],
    schema: name,
    mustBe: "the operationId of another operation",
  },
  "x-resend": {
    says: "Whether a client may send the request again: always, only with an `Idempotency-Key`, or never.",
    on: ["Operation"],
    schema: { enum: ["always", "with-key", "never"] },
    mustBe: "`always`, `with-key` or `never`",
  },
  "x-timeout": {
    says: "Seconds that one attempt may take; 60 where the key is absent.",
    on: ["Operation"],
    schema: { type: "number", exclusiveMinimum: 0, not: { const: 60 } },
    mustBe: "a number of seconds above 0 (leave it out for 60, the default)",
  },
  "x-pagination": {
    says:
      "The operation answers a page at a time: the query parameter of the cursor, the property of an item that the " +
      "cursor takes, and the property that says whether more follows.",
    on: ["Operation"],
    schema: {
      type: "object",
      properties: { cursor: name, item: name, more: name },
      required: ["cursor", "item", "more"],
      additionalProperties: false,
    },
    mustBe: "an object like `{cursor: after, item: id, more: has_more}`",
  },
  "x-stream": {
    says:
      "The operation can answer with a stream of events: the property of the request that asks for it, the data of " +
      "the event that ends it, and the function of the client engine that adds the items up to the whole answer.",
    on: ["Operation"],
    schema: {
      type: "object",
      properties: { toggle: name, end: name, fold: { enum: ["chat"] } },
      required: ["toggle", "end"],
      additionalProperties: false,
    },
    mustBe: 'an object like `{toggle: stream, end: "[DONE]"}`, with `fold: chat` where chunks of chat add up',
  },
  "x-client-option": {
    says: "The option of the client that fills the parameter.",
    on: ["Parameter"],
    schema: word,
    mustBe: "a name in camel case, such as `project`",
  },
  "x-sensitive": {
    says: "The property is never logged or shown.",
    on: ["Schema"],
    schema: { const: true },
    mustBe: "`true`, or left out",
  },
  "x-invalid-status": {
    says:
      "The status that a request gets whose value is of the right type and breaks a limit beside this key, where it is " +
      "another than the operation's own.",
    on: ["Schema"],
    schema: { enum: [400, 422] },
    mustBe: "`400` or `422`",
  },
  "x-types-accept": {
    says:
      "Values that the types of a client accept beside the enumeration, so that values of another library's type go " +
      "in. The service refuses them.",
    on: ["Schema"],
    schema: { type: "array", items: name, minItems: 1, uniqueItems: true },
    mustBe: "a list of values, such as `[original]`",
  },
};
