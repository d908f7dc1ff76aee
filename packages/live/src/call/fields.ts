import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import {
  locateIn,
  mediaKind,
  shapeOf,
  type Document,
  type Operation,
  type Parameter,
  type Place,
  type Located,
} from "@trainyard/document";
import { UsageError } from "../contract.ts";
import { bodyMedia } from "../request.ts";
import { didYouMean, parse, plainName } from "../text.ts";

/** A value as it was typed: JSON after `:=`, else a text. */
export interface Word {
  readonly text: string;
  readonly isJson: boolean;
}

/** The arguments of `trainyard call`. */
export interface Typed {
  /** The operation, followed by the values of its path parameters. */
  readonly positionals: readonly string[];
  /** Flags of the command itself. */
  readonly own: Readonly<Partial<Record<OwnFlag, string>>>;
  /** What the `$ref`s of a document may lead to. */
  readonly allow: readonly string[];
  /** Flags of the operation: names as they were typed, each with its values. */
  readonly fields: ReadonlyMap<string, readonly Word[]>;
}

const withValue = ["service", "document", "allow", "base-url", "body", "example", "limit", "field"] as const;
const withoutValue = ["help", "dry-run", "-i"] as const;

/** A flag that every operation accepts. */
type OwnFlag = (typeof withValue)[number] | (typeof withoutValue)[number];

/** The flags that every operation accepts; the last one is short. */
export const ownFlags: readonly OwnFlag[] = [...withValue, ...withoutValue];

/**
 * Reads `--name value` and `--name=value`, and `--name:=8`, which is JSON and always a field of the operation.
 * @throws {@link UsageError} if a flag has no value, or one of the command several
 */
export function readArguments(args: readonly string[]): Typed {
  const positionals: string[] = [];
  const own: Partial<Record<OwnFlag, string>> = {};
  const allow: string[] = [];
  const fields = new Map<string, Word[]>();
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const long = /^--([^=]+?)(?:(:?=)(.*))?$/s.exec(word === "-h" ? "--help" : word);
    const [, name = word === "-i" ? word : undefined, sign, given] = long ?? [];
    if (name === undefined) {
      if (word !== "--") positionals.push(word);
      continue;
    }
    const flag = sign === ":=" ? undefined : ownFlags.find((one) => one === name);
    const isSwitch = withoutValue.some((one) => one === flag);
    if (isSwitch && given !== undefined) throw new UsageError(`--${name} takes no value.`);
    const value = given ?? (isSwitch ? "" : words[0]?.startsWith("--") === false ? words.shift() : undefined);
    if (value === undefined)
      throw new UsageError(`--${name} needs a value. One that begins with -- is written as --${name}=--value.`);
    if (flag === undefined) fields.set(name, [...(fields.get(name) ?? []), { text: value, isJson: sign === ":=" }]);
    else if (flag === "allow") allow.push(value);
    else if (own[flag] !== undefined) throw new UsageError(`--${name} takes one value, and several were given.`);
    else own[flag] = value;
  }
  return { positionals, own, allow, fields };
}

/** What the flags set: parameters by their place, and the body. */
export interface Filled {
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly cookie: Readonly<Record<string, unknown>>;
  /** The properties of the body that were set: where, and to what. */
  readonly body: readonly (readonly [path: readonly string[], value: unknown])[];
}

/** The properties of an operation's body, by name: those of all branches of its schema. */
export function bodyProperties({ root }: Document, operation: Operation): Map<string, Located> {
  const schema = bodyMedia(operation)?.schema;
  if (schema === undefined) return new Map();
  return new Map([...shapeOf(root, schema).properties].map(([name, shape]) => [name, shape.schema]));
}

/** The parameters that a flag can set. */
export function flagParameters({ parameters, pagination }: Operation): Parameter[] {
  // `--limit` belongs to the command: for a list it counts items, independent of the page size.
  return parameters.filter(({ in: where, name }) => where !== "path" && !(pagination && name === "limit"));
}

/** What values are read by. */
interface Reading {
  readonly root: Document["root"];
  /** Whether a schema of the document accepts a value. */
  readonly accepts: (schema: Located, value: unknown) => boolean;
  /** Whether a field of bytes takes a file as it is: `@report.pdf`. */
  readonly isForm: boolean;
}

/**
 * Reads flags by the document: `--name agent-1`, `--steps 1 --steps 2`, `--config.batch_size 8`, `--messages @messages.json`.
 * @throws {@link UsageError} for a name that the operation does not have, or a value that cannot be read
 */
export function fillFields(
  document: Document,
  operation: Operation,
  fields: Typed["fields"],
  accepts: Reading["accepts"],
): Filled {
  const filled = { path: {}, query: {}, header: {}, cookie: {} } satisfies Record<Place, Record<string, unknown>>;
  const body: [string[], unknown][] = [];
  const { root } = document;
  const media = bodyMedia(operation);
  const reading = { root, accepts, isForm: media !== undefined && mediaKind(media.mediaType) === "multipart" };
  const properties = bodyProperties(document, operation);
  const parameters = new Map(flagParameters(operation).map((one) => [one.name, one]));
  const set: string[] = [];
  for (const [typed, words] of fields) {
    const [head = "", ...rest] = properties.has(typed) ? [typed] : typed.split(".");
    const property = named(head, properties);
    const parameter = parameters.get(named(typed, parameters) ?? "");
    const path = property === undefined ? [parameter?.name ?? ""] : [property, ...rest];
    const place = path.join("\0");
    if (set.some((one) => `${one}\0`.startsWith(`${place}\0`)))
      throw new UsageError(`--${typed} would replace what another flag sets.`);
    set.push(place);
    if (property !== undefined) {
      let schema = properties.get(property);
      for (const step of rest) schema = schema && memberOf(root, schema, step);
      body.push([path, valueOf(typed, words, schema, reading)]);
    } else if (parameter !== undefined)
      Object.assign(filled[parameter.in], { [parameter.name]: valueOf(typed, words, parameter.schema, reading) });
    else {
      const names = [...properties.keys(), ...parameters.keys(), ...ownFlags.slice(0, -1)];
      const hint = didYouMean(typed, names, "--") ?? ` See trainyard call ${operation.name} --help.`;
      throw new UsageError(`${operation.name} has no --${typed}.${hint}`);
    }
  }
  return { ...filled, body };
}

/** The name that was typed: `--base-model`, `--base_model` and `--baseModel` are equivalent. */
function named(typed: string, names: ReadonlyMap<string, unknown>): string | undefined {
  return names.has(typed) ? typed : [...names.keys()].find((name) => plainName(name) === plainName(typed));
}

/** The schema of a member of an object. */
function memberOf(root: object, schema: Located, name: string): Located | undefined {
  const isMap = isObject(schema.node["additionalProperties"]);
  return (
    shapeOf(root, schema).properties.get(name)?.schema ??
    (isMap ? locateIn(root, schema, "additionalProperties") : undefined)
  );
}

/** Sets a value within an object. */
export function put(target: JsonObject, [first = "", ...rest]: readonly string[], value: unknown): void {
  const below = target[first];
  const next: JsonObject = isObject(below) ? below : {};
  target[first] = rest.length === 0 ? value : next;
  if (rest.length > 0) put(next, rest, value);
}

/** The value of a flag: that of its only word, or a list. */
function valueOf(name: string, words: readonly Word[], schema: Located | undefined, reading: Reading): unknown {
  const shape = schema && shapeOf(reading.root, schema);
  const item = shape?.items?.schema;
  const read = (at: Located | undefined) => words.map((word) => readWord(name, word, at, reading));
  if (schema === undefined || !shape?.types.has("array")) {
    if (words.length > 1) throw new UsageError(`--${name} takes one value, and ${words.length} were given.`);
    return read(schema)[0];
  }
  if (words.length > 1 || (reading.isForm && isBinary(item))) return read(item);
  // One word is the whole value where it may be: JSON, null, or a text in place of a list.
  const [whole] = read(schema);
  if (reading.accepts(schema, whole)) return whole;
  const list = read(item);
  return Array.isArray(whole) && !reading.accepts(schema, list) ? whole : list;
}

/** The text of a word if its schema accepts that, else its JSON. What neither fits is left for validation to reject. */
function readWord(
  name: string,
  { text: typed, isJson }: Word,
  schema: Located | undefined,
  { root, accepts, isForm }: Reading,
): unknown {
  const file = /^@([^@].*)/s.exec(typed)?.[1];
  if (file !== undefined && isForm && isBinary(schema)) return new File([readBytes(file)], basename(file));
  const text = file === undefined ? typed.replace(/^@@/, "@") : String(readBytes(file));
  if (isJson) return readJson(text, `--${name}:=`);
  const parsed = parse(text);
  if (parsed === undefined || schema === undefined || accepts(schema, text)) return text;
  const isText = shapeOf(root, schema).types.has("string") && !accepts(schema, parsed.value);
  return isText ? text : readJson(text, `--${name}`);
}

/** Whether the values of a form's field are files. */
function isBinary(schema: Located | undefined): boolean {
  return schema?.node["format"] === "binary" || schema?.node["contentMediaType"] !== undefined;
}

/** @throws {@link UsageError} if a text is not JSON, or has a number that would be sent as another one */
export function readJson(text: string, where: string): unknown {
  const long = (text.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g) ?? []).find((token) => {
    const value = Number(token);
    return (
      !token.startsWith('"') && (!Number.isFinite(value) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(value)))
    );
  });
  try {
    const value: unknown = JSON.parse(text);
    if (long === undefined) return value;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "";
    throw new UsageError(`${where} is not valid JSON: ${why}`, { cause });
  }
  throw new UsageError(`${where} has the number ${long}, which has too many digits to be sent exactly.`);
}

/** @throws {@link UsageError} if the file cannot be read */
export function readBytes(file: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read.`, { cause });
  }
}
