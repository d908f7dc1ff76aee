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
  type Media,
} from "@trainyard/document";
import { UsageError } from "../contract.ts";
import { bodyMedia } from "../request.ts";
import { didYouMean, parse, plainName } from "../text.ts";

/** The arguments of `trainyard call`. */
export interface Typed {
  /** The operation, followed by the values of its path parameters. */
  readonly positionals: readonly string[];
  /** Flags of the command itself. */
  readonly own: Readonly<Partial<Record<OwnFlag, string>>>;
  /** What the `$ref`s of a document may lead to. */
  readonly allow: readonly string[];
  /** Flags of the operation: names as they were typed, each with its values. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

const withValue = ["service", "document", "allow", "base-url", "body", "example", "limit"] as const;
const withoutValue = ["help", "dry-run"] as const;

/** A flag that every operation accepts. */
type OwnFlag = (typeof withValue)[number] | (typeof withoutValue)[number];

/** The flags that every operation accepts, for messages. */
const ownFlags: readonly OwnFlag[] = [...withValue, ...withoutValue];

/**
 * Reads `--name value`, `--name=value`, and `--name` alone, which is true.
 * @throws {@link UsageError} if a flag of the command has no value
 */
export function readArguments(args: readonly string[]): Typed {
  const positionals: string[] = [];
  const own: Partial<Record<OwnFlag, string>> = {};
  const allow: string[] = [];
  const fields = new Map<string, string[]>();
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name, given] = /^--([^=]+)(?:=(.*))?$/s.exec(word === "-h" ? "--help" : word) ?? [];
    if (name === undefined) {
      if (word !== "--") positionals.push(word);
      continue;
    }
    const isSwitch = withoutValue.some((one) => one === name);
    const value = given ?? (isSwitch || words[0]?.startsWith("--") !== false ? undefined : words.shift());
    const flag = ownFlags.find((one) => one === name);
    if (flag === undefined) fields.set(name, [...(fields.get(name) ?? []), value ?? "true"]);
    else if (value === undefined && !isSwitch) throw new UsageError(`--${name} needs a value.`);
    else if (flag === "allow") allow.push(value ?? "");
    else own[flag] = value ?? "true";
  }
  return { positionals, own, allow, fields };
}

/** What the flags set: parameters by their place, and the body. */
export interface Filled {
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly cookie: Readonly<Record<string, unknown>>;
  /** The properties of the body that were set. */
  readonly body: JsonObject;
}

/** The properties of an operation's body, by name. */
export function bodyProperties({ root }: Document, operation: Operation): Map<string, Located> {
  const media = bodyMedia(operation);
  const schema = media?.schema;
  if (schema === undefined) return new Map();
  // The fields of a form may stand in any branch of its schema.
  if (isForm(media)) return new Map([...shapeOf(root, schema).properties].map(([name, shape]) => [name, shape.schema]));
  const { properties } = schema.node;
  if (!isObject(properties)) return new Map();
  return new Map(Object.keys(properties).map((name) => [name, locateIn(root, schema, "properties", name)]));
}

/** Whether a body consists of fields that are not JSON. */
function isForm(media: Media | undefined): boolean {
  return media !== undefined && ["form", "multipart"].includes(mediaKind(media.mediaType));
}

/** The parameters that a flag can set. */
export function flagParameters({ parameters, pagination }: Operation): Parameter[] {
  // `--limit` belongs to the command: for a list it counts items, independent of the page size.
  return parameters.filter(({ in: where, name }) => where !== "path" && !(pagination && name === "limit"));
}

/**
 * Reads flags by the document: `--name agent-1`, `--steps 1 --steps 2`, `--config.batch_size 8`, `--messages @messages.json`.
 * @throws {@link UsageError} for a name that the operation does not have, or a file that cannot be read
 */
export function fillFields(
  document: Document,
  operation: Operation,
  fields: ReadonlyMap<string, readonly string[]>,
): Filled {
  const filled = { path: {}, query: {}, header: {}, cookie: {} } satisfies Record<Place, Record<string, unknown>>;
  const body: JsonObject = {};
  const properties = bodyProperties(document, operation);
  const parameters = flagParameters(operation);
  for (const [typed, values] of fields) {
    const [head = "", ...rest] = typed.split(".");
    // `--base-model`, `--base_model` and `--baseModel` are equivalent.
    const property = [...properties.keys()].find((name) => plainName(name) === plainName(head));
    const parameter = parameters.find(({ name }) => plainName(name) === plainName(typed));
    if (property !== undefined) {
      const schema = rest.reduce<Located | undefined>(
        (at, step) => at && shapeOf(document.root, at).properties.get(step)?.schema,
        properties.get(property),
      );
      put(body, [property, ...rest], filesOf(operation, schema, values) ?? valueOf(document, schema, values));
    } else if (parameter !== undefined)
      Object.assign(filled[parameter.in], { [parameter.name]: valueOf(document, parameter.schema, values) });
    else {
      const names = [...properties.keys(), ...parameters.map(({ name }) => name), ...ownFlags];
      const hint = didYouMean(typed, names, "--") ?? ` See trainyard call ${operation.name} --help.`;
      throw new UsageError(`${operation.name} has no --${typed}.${hint}`);
    }
  }
  return { ...filled, body };
}

function put(target: JsonObject, [first = "", ...rest]: readonly string[], value: unknown): void {
  const below = target[first];
  const next: JsonObject = isObject(below) ? below : {};
  target[first] = rest.length === 0 ? value : next;
  if (rest.length > 0) put(next, rest, value);
}

/**
 * The value of a flag in the type of its schema; a list takes several. A value of a wrong type is left for validation
 * to reject.
 */
function valueOf(document: Document, schema: Located | undefined, texts: readonly string[]): unknown {
  const shape = schema && shapeOf(document.root, schema);
  const types = shape?.types ?? new Set<string>();
  const values = texts.map((text) => read(text, types));
  const [first] = values;
  if (!types.has("array") || types.has("object")) return values.at(-1);
  if (values.length === 1 && (Array.isArray(first) || first === null)) return first;
  const items = shape?.items?.types ?? new Set<string>();
  return texts.flatMap((text) => text.split(",")).map((text) => read(text, items));
}

/** The files of a form's field: `@report.pdf`. Undefined if its values are not files. */
function filesOf(operation: Operation, schema: Located | undefined, texts: readonly string[]): unknown {
  const media = bodyMedia(operation);
  if (media === undefined || mediaKind(media.mediaType) !== "multipart") return undefined;
  const { format, contentMediaType, items } = schema?.node ?? {};
  const { format: ofItem, contentMediaType: typeOfItem } = Object(items);
  const isFile = [format, ofItem].includes("binary") || (contentMediaType ?? typeOfItem) !== undefined;
  if (!isFile || !texts.every((text) => text.startsWith("@"))) return undefined;
  const files = texts.map((text) => new File([readBytes(text.slice(1))], basename(text)));
  return items === undefined ? files.at(-1) : files;
}

/** @throws {@link UsageError} if the file cannot be read */
export function readBytes(file: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read.`, { cause });
  }
}

/** @throws {@link UsageError} if the file cannot be read */
export function readText(file: string): string {
  return readBytes(file).toString("utf8");
}

function read(typed: string, types: ReadonlySet<string>): unknown {
  const text = typed.startsWith("@") ? readText(typed.slice(1)) : typed;
  const parsed = parse(text);
  if (parsed === undefined) return text;
  const { value } = parsed;
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  // Where a number is accepted too, quotes tell a text from it. A field that is only text keeps them.
  const isNumeric = types.has("number") || (types.has("integer") && (kind === "string" || Number.isSafeInteger(value)));
  const fits = kind === "number" || kind === "string" ? isNumeric : types.has(kind);
  return types.has("string") && !fits ? text : value;
}
