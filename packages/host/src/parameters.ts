import { formats, type Fault } from "@trainyard/core/validation";
import {
  isSupported,
  nearest,
  separators,
  shapeOf,
  type Operation,
  type Place,
  type Shape,
  type Styled,
} from "@trainyard/document";

/** What the values of parameters are read from. */
export interface SentParameters {
  readonly headers: Headers;
  /** The query as it was sent, without `?`. */
  readonly search?: string | undefined;
  /** The parameters in the path, decoded. */
  readonly path?: Readonly<Record<string, string>> | undefined;
}

/**
 * Converts the parameters of one place to the types of their schemas. What was not sent, or has a style that is not
 * supported, is left out.
 *
 * @param root the document
 */
export function readParameterValues(
  root: object,
  parameters: readonly Styled[],
  place: Place,
  { headers, search = "", path = {} }: SentParameters,
): Record<string, unknown> {
  const here = parameters.filter((parameter) => parameter.in === place && isSupported(parameter));
  if (here.length === 0) return {};
  if (place === "query") return readPairs(root, here, search);
  if (place === "cookie") return readPairs(root, here, (headers.get("cookie") ?? "").replaceAll(/;\s*/g, "&"));
  const pairs = here.flatMap(({ name }): Pair[] => {
    const text = place === "header" ? headers.get(name) : path[name];
    // `fetch` sends `*` where nobody chose a language. It means the same as no header (RFC 9110, 12.5.4).
    const isAny = text === "*" && name.toLowerCase() === "accept-language";
    return text === undefined || text === null || isAny ? [] : [[name, text]];
  });
  return readEach(root, here, pairs, (text) => text.trim());
}

/** Converts the fields of a form, which are decoded. Those that are not declared stay texts. */
export function readFields(root: object, fields: readonly Styled[], pairs: readonly Pair[]): Record<string, unknown> {
  const names = new Set(fields.map(({ name }) => name));
  const isRest = ([name]: Pair) => !names.has(name) && !names.has(name.replace(/\[.*/, ""));
  return { ...Object.fromEntries(pairs.filter(isRest)), ...readEach(root, fields, pairs, (text) => text) };
}

/** The faults of names in a query that no parameter has, each with the name that was probably meant. */
export function judgeNames(root: object, parameters: readonly Styled[], search: string): Fault[] {
  const known = new Set<string>();
  const patterns: RegExp[] = [];
  for (const styled of parameters.filter((parameter) => parameter.in === "query")) {
    const shape = shapeOf(root, styled.schema);
    if (shape.types.has("object") && styled.style === "form" && styled.explode) {
      patterns.push(...patternsOf(shape));
      for (const name of shape.properties.keys()) known.add(name);
    } else known.add(styled.name);
  }
  const heads = patterns.map(({ source }) => source.replaceAll(/^\^|\\|[.*+]+\$$/g, ""));
  return [...new Set(pairsOf(search).map(([name]) => name))]
    .filter((name) => !known.has(name) && !patterns.some((one) => one.test(name)))
    .map((name) => {
      const rest = name.replace(/^[^.]*\.?/, "") || "<name>";
      const meant = nearest(name, [...known, ...heads.map((head) => `${head}.${rest}`)]) ?? nearest(name, heads);
      const cure = meant === undefined ? "" : ` Did you mean ${heads.includes(meant) ? `${meant}.${rest}` : meant}?`;
      return { loc: ["query", name], msg: `There is no query parameter ${name}.${cure}`, type: "extra_forbidden" };
    });
}

/** The patterns of the names that an object may have, besides those that it declares. */
function patternsOf({ schema }: Shape): RegExp[] {
  return Object.keys(Object(schema.node["patternProperties"])).map((pattern) => new RegExp(pattern, "u"));
}

/** Converts the pairs of a query or of cookies. */
function readPairs(root: object, styled: readonly Styled[], search: string): Record<string, unknown> {
  return readEach(root, styled, pairsOf(search), decode);
}

/** The pairs of a query, with decoded names. */
function pairsOf(search: string): Pair[] {
  return search.split("&").flatMap((pair): Pair[] => {
    const at = pair.indexOf("=");
    return pair === "" ? [] : [[decode(at < 0 ? pair : pair.slice(0, at)), at < 0 ? "" : pair.slice(at + 1)]];
  });
}

/** A name, and a text that is not decoded yet: a separator that is encoded is no separator. */
type Pair = readonly [name: string, text: string];
type Decode = (text: string) => string;
/** Texts by the names of properties, or in lists. */
type Texts = string | readonly Texts[] | ReadonlyMap<string, Texts>;

function readEach(
  root: object,
  all: readonly Styled[],
  pairs: readonly Pair[],
  decodeText: Decode,
): Record<string, unknown> {
  const names = new Set(all.map(({ name }) => name));
  return Object.fromEntries(
    all.flatMap((styled) => {
      const shape = shapeOf(root, styled.schema);
      const own =
        styled.style === "form" &&
        shape.types.has("object") &&
        styled.explode &&
        !pairs.some(([name]) => name === styled.name);
      // An object without declared properties takes every name that no other parameter has, or those that fit its patterns.
      const patterns = patternsOf(shape);
      const isOwn = (name: string) =>
        shape.properties.size > 0
          ? shape.properties.has(name)
          : !names.has(name) && (patterns.length === 0 || patterns.some((one) => one.test(name)));
      const texts = own
        ? grouped(pairs.filter(([name]) => isOwn(name)).map(([name, text]) => [[name], decodeText(text)]))
        : textsOf(styled, shape, pairs, decodeText);
      return texts === undefined
        ? []
        : [[styled.name, styled.style === "json" ? parsed(texts) : convert(texts, shape)]];
    }),
  );
}

/** What was sent for one parameter, split into its items or properties; undefined if nothing was. */
function textsOf(
  { name, style, explode }: Styled,
  { types, items }: Shape,
  pairs: readonly Pair[],
  decodeText: Decode,
): Texts | undefined {
  if (style === "deepObject") {
    const members = pairs.flatMap(([key, text]): [string[], string][] =>
      key.startsWith(`${name}[`) && /^(\[[^\]]*\])+$/.test(key.slice(name.length))
        ? [[key.slice(name.length + 1, -1).split("]["), decodeText(text)]]
        : [],
    );
    if (members.length > 0) return grouped(members);
  }
  const texts = pairs.flatMap(([key, text]) => (key === name ? [text] : []));
  const last = texts.at(-1);
  if (last === undefined) return undefined;
  if (style === "json" || (!types.has("array") && !types.has("object"))) return decodeText(last);
  const isSplit = !(explode && style !== "simple") && style !== "deepObject" && style !== "label" && style !== "matrix";
  const parts = isSplit
    ? texts.flatMap((text) => (canBeText(items) ? text : decodeText(text)).split(separatorsSent[style]))
    : texts;
  if (types.has("object") && isSplit && !types.has("array")) {
    const flat = explode ? parts.flatMap((part) => part.split(/=(.*)/s, 2)) : parts;
    return grouped(
      flat.flatMap((key, at): [string[], string][] =>
        at % 2 === 0 ? [[[decodeText(key)], decodeText(flat[at + 1] ?? "")]] : [],
      ),
    );
  }
  return types.has("array") ? parts.map(decodeText) : decodeText(last);
}

/** Whether an item may be a text that contains a separator. If not, a separator that is encoded separates, too. */
function canBeText(items: Shape | undefined): boolean {
  const { types, schema } = items ?? {};
  return schema?.node["enum"] === undefined && (types === undefined || types.size === 0 || types.has("string"));
}

/** A separator may be sent encoded where it could not be sent otherwise. */
const separatorsSent = {
  simple: separators.simple,
  form: separators.form,
  spaceDelimited: /%20|[+ ]/,
  pipeDelimited: /%7c|\|/i,
} as const;

/** Texts by the paths of their names. A name that is repeated has a list. */
function grouped(members: readonly (readonly [path: readonly string[], text: string])[]): Texts | undefined {
  if (members.length === 0) return undefined;
  const byName = new Map<string, { texts: string[]; below: [string[], string][] }>();
  for (const [[name = "", ...path], text] of members) {
    const found = byName.get(name) ?? { texts: [], below: [] };
    byName.set(name, found);
    if (path.length > 0) found.below.push([path, text]);
    else found.texts.push(text);
  }
  return new Map(
    [...byName].map(([name, { texts, below }]) => [
      name,
      grouped(below) ?? (texts.length > 1 ? texts : (texts[0] ?? "")),
    ]),
  );
}

/** Gives texts the types of a schema. If a single value is repeated, the last counts. */
function convert(texts: Texts, { types, items, properties }: Omit<Shape, "schema" | "schemas">): unknown {
  if (texts instanceof Map)
    return Object.fromEntries(
      [...texts].map(([name, text]) => [name, convert(text, properties.get(name) ?? anything)]),
    );
  const all = [texts].flat();
  // One text may be a value of its own where the schema accepts more than lists.
  const isScalar = all.length === 1 && ["string", "integer", "number", "boolean"].some((type) => types.has(type));
  if (types.has("array") && !isScalar) return all.map((text) => convert(text, items ?? anything));
  const last = all.at(-1);
  return typeof last === "string" ? coerce(last, types) : last;
}

const anything: Omit<Shape, "schema" | "schemas"> = {
  types: new Set(),
  items: undefined,
  properties: new Map(),
};

/** A value that does not have the form of the type stays a string, which the validator reports. */
function coerce(text: string, types: ReadonlySet<string>): unknown {
  const numeric = types.has("integer") && !types.has("number") ? /^[+-]?\d+$/ : /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
  if ((types.has("integer") || types.has("number")) && numeric.test(text)) return Number(text);
  if (types.has("boolean") && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

/** The value of a JSON text; the text if it is none, which the validator reports. */
function parsed(text: Texts): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

/** Decodes a part of a query as browsers do: `+` is a space, and `%` without digits is itself. */
function decode(text: string): string {
  return /[%+]/.test(text) ? (new URLSearchParams(`=${text}`).get("") ?? "") : text;
}

/**
 * The name of a path parameter that is not a UUID, although its schema says so or its example is one: such an id identifies
 * nothing.
 */
export function lostId({ parameters }: Operation, params: Readonly<Record<string, string>>): string | undefined {
  return parameters.find(
    ({ in: source, name, schema, example }) =>
      source === "path" &&
      (schema.node["format"] === "uuid" || formats.uuid.test(String(example))) &&
      !formats.uuid.test(params[name] ?? ""),
  )?.name;
}
