import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isObject } from "@trainyard/core/validation";
import {
  didYouMean,
  locateIn,
  marked,
  mediaKind,
  plainName,
  shapeOf,
  type Document,
  type Operation,
  type Parameter,
  type Place,
  type Located,
  type Shape,
} from "@trainyard/document";
import { UsageError } from "@trainyard/terminal/command";
import type { Found } from "../contract.ts";
import { bodyMedia } from "../request.ts";
import { parse } from "../text.ts";
import { ownFlags, type Typed, type Word } from "./arguments.ts";

/** Names of properties, and numbers of items: `--messages.0.role`. */
type Path = readonly (string | number)[];

/** What the flags set: parameters by their place, and the body. */
export interface Filled extends Readonly<Record<"query" | "header" | "cookie", Readonly<Record<string, unknown>>>> {
  /** The properties of the body that were set: where, and to what. */
  readonly body: readonly (readonly [path: Path, value: unknown])[];
}

/** The properties of an operation's body, by name: those of all branches of its schema. */
export function bodyProperties({ root }: Document, operation: Operation): Shape["properties"] {
  const schema = bodyMedia(operation)?.schema;
  return schema === undefined ? new Map() : shapeOf(root, schema).properties;
}

export function flagParameters({ parameters, pagination }: Operation): Parameter[] {
  // `--limit` belongs to the command: for a list it counts items, independent of the page size.
  return parameters.filter(({ in: where, name }) => where !== "path" && !(pagination && name === "limit"));
}

export function fieldNames({ document, operation }: Pick<Found, "document" | "operation">): string[] {
  return [...bodyProperties(document, operation).keys(), ...flagParameters(operation).map(({ name }) => name)];
}

interface Reading {
  readonly root: Document["root"];
  readonly accepts: (schema: Located, value: unknown) => boolean;
  /** Whether a field of bytes takes a file as it is: `@report.pdf`. */
  readonly isForm: boolean;
}

/** Reads flags by the document: `--name agent-1`, `--steps 1 --steps 2`, `--config.batch_size 8`, `--messages @messages.json`. */
export function fillFields(
  document: Document,
  operation: Operation,
  fields: Typed["fields"],
  accepts: Reading["accepts"],
): Filled {
  const filled = { path: {}, query: {}, header: {}, cookie: {} } satisfies Record<Place, Record<string, unknown>>;
  const body: [Path, unknown][] = [];
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
    const place = property === undefined ? (parameter?.name ?? "") : [property, ...rest].join("\0");
    if (set.some((one) => `${one}\0`.startsWith(`${place}\0`)))
      throw new UsageError(`--${typed} would replace what another flag sets.`);
    set.push(place);
    if (property !== undefined) {
      const path: (string | number)[] = [property];
      let schema = properties.get(property)?.schema;
      for (const step of rest) {
        const items = schema && /^\d+$/.test(step) ? shapeOf(root, schema).items : undefined;
        path.push(items === undefined ? step : Number(step));
        schema = items === undefined ? schema && memberOf(root, schema, step) : items.schema;
      }
      body.push([path, valueOf(typed, words, schema, reading)]);
    } else if (parameter !== undefined)
      Object.assign(filled[parameter.in], { [parameter.name]: valueOf(typed, words, parameter.schema, reading) });
    else {
      const names = [...properties.keys(), ...parameters.keys(), ...ownFlags.map((flag) => flag.replace(/^-+/, ""))];
      const hint = didYouMean(typed, names, "--") ?? " With --help, the command lists its fields.";
      throw new UsageError(`${operation.name} has no --${typed}.${hint}`);
    }
  }
  return { ...filled, body };
}

/** The name that was typed: `--base-model`, `--base_model` and `--baseModel` are equivalent. */
function named(typed: string, names: ReadonlyMap<string, unknown>): string | undefined {
  return names.has(typed) ? typed : [...names.keys()].find((name) => plainName(name) === plainName(typed));
}

function memberOf(root: object, schema: Located, name: string): Located | undefined {
  const isMap = isObject(schema.node["additionalProperties"]);
  return (
    shapeOf(root, schema).properties.get(name)?.schema ??
    (isMap ? locateIn(root, schema, "additionalProperties") : undefined)
  );
}

export function put(target: object, [first = "", ...rest]: Path, value: unknown): void {
  const below: unknown = Reflect.get(target, first);
  const isList = typeof rest[0] === "number";
  const existing = (isList ? Array.isArray(below) : isObject(below)) ? Object(below) : undefined;
  const next: object = existing ?? (isList ? [] : {});
  Reflect.set(target, first, rest.length === 0 ? value : next);
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
  if (schema === undefined || accepts(schema, text)) return text;
  const parsed = parse(marked(text));
  if (parsed === undefined) return text;
  return shapeOf(root, schema).types.has("string") && !accepts(schema, parsed.value) ? text : parsed.value;
}

function isBinary(schema: Located | undefined): boolean {
  return schema?.node["format"] === "binary" || schema?.node["contentMediaType"] !== undefined;
}

/** Reads JSON; its numbers keep their digits. @throws {@link UsageError} if the text is not JSON */
export function readJson(text: string, where: string): unknown {
  try {
    JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "";
    throw new UsageError(`${where} is not valid JSON: ${why}`, { cause });
  }
  return JSON.parse(marked(text));
}

export function readBytes(file: string, cure = ""): Buffer<ArrayBuffer> {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read.${cure}`, { cause });
  }
}
