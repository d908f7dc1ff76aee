/**
 * The contract's own keys (`x-…`), one row each. The row is the only place that defines a key's name, where it is allowed,
 * its valid values, its default, what the site says about it, and what a change of it is called. Lint, the generator, the
 * comparison of contracts, the editor's schemas and the site read the row.
 *
 * @module
 */
import { isObject } from "@trainyard/core/validation";
import { type Extension, holders, type JsonSchema } from "./extension.ts";
import { resend, type ResendRule } from "./resend.ts";

/** The sources of a fact, the least certain first. */
export const bases = ["proposed", "adopted", "interface"] as const;
export type Basis = (typeof bases)[number];

/** The only number of the dialect. */
const known = 1;

/** Default seconds for one attempt. */
export const defaultTimeout = 60;

export interface Pagination {
  /** The query parameter for the cursor. */
  readonly cursor: string;
  /** The property of an item that is its cursor. */
  readonly item: string;
  /** The property of a page that says whether there are more. */
  readonly more: string;
}

export interface Stream {
  /** The property of the body that requests a stream; undefined if each answer is one. */
  readonly toggle?: string;
  /** The data of the event that ends the stream; undefined if `[DONE]` or the end of the body does. */
  readonly end?: string;
  /** Whether the operation streams if the body does not have the property. */
  readonly byDefault?: boolean;
  /** The media type of a stream that is lines of JSON. */
  readonly lines?: string;
  /** The function of the client engine that combines the items into the whole answer. */
  readonly fold?: string;
}

/** A guarantee for callers. */
export interface ContractRule {
  /** Unique in its document. It stays the same when the text is reworded. */
  readonly id: string;
  readonly basis: Basis;
  readonly text: string;
}

const word: JsonSchema = { type: "string", pattern: "^[a-z][a-zA-Z0-9]*$" };
const name: JsonSchema = { type: "string", minLength: 1 };
const nothing = (): undefined => undefined;

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
/** What a key has whose only value is `true`. */
const flag = (key: Extension["key"]): Pick<Extension<boolean>, "key" | "schema" | "mustBe" | "read"> => ({
  key,
  schema: { const: true },
  mustBe: "`true`, or left out",
  read: (holder) => holder[key] === true,
});
const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined => all.find((one) => one === value);

const version: Extension<boolean> = {
  key: "x-trainyard",
  says:
    "The document uses these keys, with the meaning that has this number. In a document without this line they are " +
    "anybody's words, and nothing reads them.",
  on: ["Root"],
  schema: { const: known },
  mustBe: `\`${known}\`, the only number that is known`,
  read: (root) => root[version.key] === known,
  describe: nothing,
  // What the document says from now on is reported key by key.
  changes: { always: "rewritten" },
};

const basis: Extension<Basis | undefined> = {
  key: "x-basis",
  says: "The source of the fact.",
  on: holders,
  schema: { enum: [...bases].toReversed() },
  mustBe: "`interface`, `adopted` or `proposed`",
  read: (holder) => oneOf(bases, holder[basis.key]),
  describe: (value) =>
    value &&
    {
      interface: "The interface states it.",
      adopted: "It is adopted from public services and clients that speak the same interface.",
      proposed: "It is a proposal of this contract, and may change once the owner of the service says otherwise.",
    }[value],
  changes: {
    // A fact without a basis of its own is as certain as what contains it.
    between: (before, now, { around }) => {
      const [was, is] = [before ?? around[0], now ?? around[1]].map((value) => bases.findIndex((one) => one === value));
      return (is ?? 0) >= 0 && (is ?? 0) < (was ?? 0) ? "basis-withdrawn" : "basis-changed";
    },
  },
};

const clientMethod: Extension<string | undefined> = {
  key: "x-client-method",
  says: "The method of the client that calls the operation.",
  on: ["Operation"],
  schema: { type: "string", pattern: "^[a-z][a-zA-Z0-9]*(\\.[a-z][a-zA-Z0-9]*)+$" },
  mustBe: "a group and a method in camel case with dots between, such as `models.checkpoints.list`",
  read: (holder) => textOf(holder[clientMethod.key]),
  describe: nothing,
  changes: { added: "method-added", changed: "method-renamed", removed: "method-removed" },
};

const aliasOf: Extension<string | undefined> = {
  key: "x-alias-of",
  says: "The operationId of the operation that this one is an alias of. An alias has no method of its own.",
  on: ["Operation"],
  schema: name,
  mustBe: "the operationId of another operation",
  read: (holder) => textOf(holder[aliasOf.key]),
  describe: nothing,
  changes: { always: "alias-changed" },
};

const safe: Extension<boolean> = {
  ...flag("x-safe"),
  says: "The operation changes nothing, whatever its method, so a tool may call it to inspect a service. A `GET` does not need it.",
  on: ["Operation"],
  describe: nothing,
  changes: { added: "safe-added", changed: "safe-removed", removed: "safe-removed" },
};

const timeout: Extension<number> = {
  key: "x-timeout",
  says: `Seconds that one attempt may take, including the body of the response. Default: ${defaultTimeout}.`,
  on: ["Operation"],
  schema: { type: "number", exclusiveMinimum: 0, not: { const: defaultTimeout } },
  mustBe: `a number of seconds above 0 (leave it out for ${defaultTimeout}, the default)`,
  read: (holder) => {
    const value = holder[timeout.key];
    return typeof value === "number" && value > 0 ? value : defaultTimeout;
  },
  describe: nothing,
  changes: {
    between: (before, now) => {
      const [was, is] = [before, now].map((value) => Number(value ?? defaultTimeout));
      return was === is ? "rewritten" : (is ?? 0) < (was ?? 0) ? "timeout-shortened" : "timeout-raised";
    },
  },
};

const pagination: Extension<Pagination | undefined> = {
  key: "x-pagination",
  says:
    "The operation returns pages: the query parameter for the cursor, the property of an item that is its cursor, and " +
    "the property that says whether there are more.",
  on: ["Operation"],
  schema: {
    type: "object",
    properties: { cursor: name, item: name, more: name },
    required: ["cursor", "item", "more"],
    additionalProperties: false,
  },
  mustBe: "an object like `{cursor: after, item: id, more: has_more}`",
  read: (holder) => {
    const value = holder[pagination.key];
    if (!isObject(value)) return undefined;
    const [cursor, item, more] = [textOf(value["cursor"]), textOf(value["item"]), textOf(value["more"])];
    return cursor && item && more ? { cursor, item, more } : undefined;
  },
  describe: (value) =>
    value &&
    `Each response is one page. Pass the \`${value.item}\` of its last item as \`${value.cursor}\` to get the next one.`,
  changes: { added: "pagination-added", changed: "pagination-changed", removed: "pagination-changed" },
};

const stream: Extension<Stream | undefined> = {
  key: "x-stream",
  says:
    "The operation can return a stream of events: the property of the request that requests it, the data of the " +
    "event that ends it, and the function of the client engine that combines the items into the whole answer.",
  on: ["Operation"],
  schema: {
    type: "object",
    properties: { toggle: name, end: name, fold: { enum: ["chat"] } },
    required: ["toggle", "end"],
    additionalProperties: false,
  },
  mustBe: 'an object like `{toggle: stream, end: "[DONE]"}`, with `fold: chat` for chunks of a chat completion',
  read: (holder) => {
    const value = holder[stream.key];
    if (!isObject(value)) return undefined;
    const [toggle, end, fold] = [textOf(value["toggle"]), textOf(value["end"]), textOf(value["fold"])];
    return toggle && end ? { toggle, end, ...(fold !== undefined && { fold }) } : undefined;
  },
  describe: nothing,
  changes: {
    between: (before, now) => {
      if (before === undefined) return "stream-added";
      const [was, is] = [before, now].map((value) => stream.read({ [stream.key]: isObject(value) ? value : {} }));
      // The toggle and the end marker are part of the wire; how items are combined concerns only the client.
      if (was === undefined || is?.toggle !== was.toggle || is?.end !== was.end || is?.fold === was.fold)
        return "stream-changed";
      return was.fold === undefined ? "fold-added" : "fold-changed";
    },
  },
};

const clientOption: Extension<string | undefined> = {
  key: "x-client-option",
  says: "The option of the client that fills the parameter in every call.",
  on: ["Parameter"],
  schema: word,
  mustBe: "a name in camel case, such as `project`",
  read: (holder) => textOf(holder[clientOption.key]),
  describe: (value) => value && `The client option \`${value}\` fills it.`,
  changes: { added: "client-option-added", changed: "client-option-changed", removed: "client-option-changed" },
};

const sensitive: Extension<boolean> = {
  ...flag("x-sensitive"),
  says: "Clients and command-line tools leave this value out of their own logs and error messages. The service may store and return it.",
  on: ["Schema"],
  describe: nothing,
  changes: { added: "sensitive-added", changed: "sensitive-removed", removed: "sensitive-removed" },
};

const extensible: Extension<boolean> = {
  ...flag("x-extensible"),
  says: "The union or enumeration of a response may get more members: readers must ignore those that they do not know.",
  on: ["Schema"],
  describe: (value) => (value ? "Members may be added: ignore those that you do not know." : undefined),
  changes: { added: "set-opened", changed: "set-closed", removed: "set-closed" },
};

const rules: Extension<readonly ContractRule[]> = {
  key: "x-rules",
  says: "Guarantees for callers, each with its source and an id that is unique in its document.",
  on: ["Operation", "Parameter", "Schema"],
  schema: {
    type: "array",
    minItems: 1,
    items: {
      type: "object",
      properties: {
        id: { type: "string", pattern: "^[a-z][a-z0-9]*(-[a-z0-9]+)*$" },
        basis: { enum: [...bases].toReversed() },
        text: name,
      },
      required: ["id", "basis", "text"],
      additionalProperties: false,
    },
  },
  mustBe: "a list like `[{id: name-unique, basis: proposed, text: The name is unique.}]`, with ids in lower case",
  read: (holder) => {
    const value = holder[rules.key];
    return (Array.isArray(value) ? value.filter(isObject) : []).flatMap((rule): ContractRule[] => {
      const [from, text] = [oneOf(bases, rule["basis"]), textOf(rule["text"])];
      // Documents of older versions have rules without ids.
      return from && text ? [{ id: textOf(rule["id"]) ?? "", basis: from, text }] : [];
    });
  },
  describe: nothing,
  changes: { entries: true },
};

const cure: Extension<string | undefined> = {
  key: "x-cure",
  says: "What a caller does about this error of this operation, where the description does not say it.",
  on: ["Response"],
  schema: name,
  mustBe: "a sentence, such as `Check the id.`",
  read: (holder) => textOf(holder[cure.key]),
  describe: (value) => value,
  changes: { always: "description-changed" },
};

const invalidStatus: Extension<number | undefined> = {
  key: "x-invalid-status",
  says:
    "The status of the response to a value that has the right type but violates a limit beside this key, if it " +
    "differs from the operation's own.",
  on: ["Schema"],
  schema: { enum: [400, 422] },
  mustBe: "`400` or `422`",
  read: (holder) => [400, 422].find((status) => status === holder[invalidStatus.key]),
  describe: (value) =>
    value === undefined ? undefined : `A value that violates its limits is rejected with ${value}.`,
  changes: {
    // If limits beside the key were added or removed, their own changes report it.
    between: (_, __, { holders }) => {
      const [was, is] = holders.map((holder) => {
        const beside = Object.entries(holder).filter(([key]) => key !== invalidStatus.key);
        return JSON.stringify(beside.toSorted(([a], [b]) => (a < b ? -1 : 1)));
      });
      return was === is ? "invalid-status-changed" : "rewritten";
    },
  },
};

/** The rows, by their name in code. */
export interface Dialect {
  /** Whether a root document uses the dialect. */
  readonly version: Extension<boolean>;
  readonly basis: Extension<Basis | undefined>;
  readonly clientMethod: Extension<string | undefined>;
  readonly aliasOf: Extension<string | undefined>;
  readonly resend: Extension<ResendRule | undefined>;
  readonly safe: Extension<boolean>;
  readonly timeout: Extension<number>;
  readonly pagination: Extension<Pagination | undefined>;
  readonly stream: Extension<Stream | undefined>;
  readonly clientOption: Extension<string | undefined>;
  readonly sensitive: Extension<boolean>;
  readonly extensible: Extension<boolean>;
  readonly rules: Extension<readonly ContractRule[]>;
  readonly cure: Extension<string | undefined>;
  readonly invalidStatus: Extension<number | undefined>;
}

/** Every key that a document may use. Lint reports any other key. */
export const dialect: Dialect = {
  version,
  basis,
  clientMethod,
  aliasOf,
  resend,
  safe,
  timeout,
  pagination,
  stream,
  clientOption,
  sensitive,
  extensible,
  rules,
  cure,
  invalidStatus,
};

/** The rows of the dialect, by key. */
export const extensions: ReadonlyMap<string, Extension> = new Map(
  Object.values<Extension>({ ...dialect }).map((extension): [string, Extension] => [extension.key, extension]),
);

/** What is wrong with the number of a document's dialect, and what to do; undefined if it is known, or if there is none. */
export function dialectFault(root: object): { readonly message: string; readonly cure: string } | undefined {
  const number = isObject(root) ? root[version.key] : undefined;
  if (number === undefined || number === known) return undefined;
  return {
    message: `\`${version.key}\` is ${JSON.stringify(number)}, and the only number that is known is ${known}.`,
    cure: `Write \`${version.key}: ${known}\`, or use a version of this tool that knows the other number.`,
  };
}
