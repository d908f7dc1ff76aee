import { isObject, type JsonObject, resolvePointer } from "@trainyard/core/validation";
import { either, lazy, literal, oneOf, repeat, sequence, type Form } from "./form.ts";
import { integerForm, numberForm } from "./numbers.ts";
import { patternForm, plainCharacters } from "./patterns.ts";

/** A part of a schema, or of the request around it, that the model cannot follow, with its path. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

/** Below this depth, only required parts are written. */
const deepest = 6;
/** The longest text, unless its schema requires a longer one. */
const longest = 32;
/** How many items an array may have beyond the required ones. */
const moreItems = 3;

const unsupported =
  /^(\$dynamicRef|contains|dependent(Required|Schemas)|else|if|not|patternProperties|propertyNames|then|unevaluated(Items|Properties)|uniqueItems)$/;

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-11-04T09:15:00Z",
  date: "2026-11-04",
  time: "09:15:00Z",
  duration: "PT5M",
  email: "ada@example.org",
  hostname: "example.org",
  ipv4: "127.0.0.1",
  ipv6: "::1",
  uri: "https://example.org/",
  "uri-reference": "/platforms/2",
  uuid: "0b2f6a3e-6c0e-4a53-9a3c-5d1f3f6f7d10",
};

/**
 * The form of all values of a JSON Schema that the model may write: JSON without white space, with properties in the
 * order of the schema.
 *
 * @throws SchemaError if the schema requires something unsupported, or contains itself without an end
 */
export function schemaForm(schema: unknown): Form {
  return new Compiler(schema).form(schema, [], 0);
}

type Path = readonly (string | number)[];

/** The most properties that an object may have beyond the named ones. */
const mostAdded = 256;

class Compiler {
  readonly #root: unknown;

  constructor(root: unknown) {
    this.#root = root;
  }

  form(schema: unknown, path: Path, depth: number): Form {
    if (schema === false) throw new SchemaError(path, "allows no value");
    if (depth > deepest * 4) throw new SchemaError(path, "contains itself without an end");
    const whole = isObject(schema) ? this.#merged(schema, path) : {};
    const wrong = Object.keys(whole).find((key) => unsupported.test(key) && (whole[key] ?? false) !== false);
    if (wrong !== undefined)
      throw new SchemaError([...path, wrong], `uses \`${wrong}\`, which this model cannot follow`);
    const { enum: values, anyOf, oneOf: one, ...rest } = whole;
    if ("const" in whole) return literal(JSON.stringify(whole["const"]));
    if (Array.isArray(values)) return either(values.map((value) => literal(JSON.stringify(value))));
    for (const [key, variants] of Object.entries({ anyOf, oneOf: one })) {
      if (!Array.isArray(variants)) continue;
      const variantOf = (variant: unknown, at: Path) =>
        this.form({ ...rest, ...this.#merged(Object(variant), at) }, at, depth + 1);
      const all = this.#possible(variants, variantOf, [...path, key]);
      // At depth, the first branch that ends is used.
      return either(depth > deepest ? all.slice(0, 1) : all);
    }
    const types = [whole["type"] ?? guess(whole)].flat().map((type) => (typeof type === "string" ? type : ""));
    return either(this.#possible(types, (type, at) => this.#typed(type, whole, at, depth), path));
  }

  /** Resolves `$ref` and merges `allOf`. */
  #merged(schema: JsonObject, path: Path, seen: readonly unknown[] = []): JsonObject {
    const { $ref: ref, allOf, ...own } = schema;
    if (seen.includes(schema)) throw new SchemaError(path, "leads to itself");
    const parts: unknown[] = [
      ...(ref === undefined ? [] : [this.#at(ref, path)]),
      ...(Array.isArray(allOf) ? allOf : []),
    ];
    const found = parts.map((part) => (isObject(part) ? this.#merged(part, path, [...seen, schema]) : {}));
    const all = [...found, own];
    return {
      ...Object.assign({}, ...all),
      properties: Object.assign({}, ...all.map(({ properties }) => properties)),
      required: all.flatMap(({ required }) => listOf(required)),
    };
  }

  #at(ref: unknown, path: Path): unknown {
    const wrong = (why: string) => new SchemaError([...path, "$ref"], `refers to ${String(ref)}, which is ${why}`);
    if (typeof ref !== "string" || !/^#(\/|$)/.test(ref)) throw wrong("not within the schema");
    try {
      const found = resolvePointer(this.#root, ref);
      if (found !== undefined) return found;
    } catch {
      // Its percent-encoding is invalid.
    }
    throw wrong("not there");
  }

  /** The forms of the branches that have one. If none has, the error of the first is thrown. */
  #possible<T>(all: readonly T[], make: (one: T, path: Path) => Form, path: Path): Form[] {
    const tried = all.map((one, index) => formOrError(() => make(one, all.length > 1 ? [...path, index] : path)));
    const forms = tried.flatMap((one) => (one instanceof SchemaError ? [] : [one]));
    if (forms.length === 0) throw tried[0] ?? new SchemaError(path, "allows no value");
    return forms;
  }

  #typed(type: string, schema: JsonObject, path: Path, depth: number): Form {
    switch (type) {
      case "object":
        return this.#object(schema, path, depth);
      case "array":
        return this.#array(schema, path, depth);
      case "integer":
        return integerForm(schema) ?? none(path);
      case "number":
        return numberForm(schema) ?? none(path);
      case "boolean":
        return either([literal("true"), literal("false")]);
      case "null":
        return literal("null");
      case "string":
        return stringForm(schema, path);
      default:
        throw new SchemaError([...path, "type"], `has the type ${type}, which JSON does not know`);
    }
  }

  #object(schema: JsonObject, path: Path, depth: number): Form {
    const properties: JsonObject = isObject(schema["properties"]) ? schema["properties"] : {};
    const required = new Set(listOf(schema["required"]).map(String));
    const additional = schema["additionalProperties"] ?? { type: "string" };
    const least = typeof schema["minProperties"] === "number" ? schema["minProperties"] : 0;
    if (least > mostAdded)
      throw new SchemaError(
        [...path, "minProperties"],
        `needs more than ${mostAdded} properties, which this model cannot give`,
      );
    const names = [...new Set([...Object.keys(properties), ...required])];
    for (let number = 1; names.length < least; number++) {
      names.push(`key${number}`);
      required.add(`key${number}`);
    }
    const isFull = least > required.size || typeof schema["maxProperties"] === "number";
    const members = names.flatMap((name) => {
      const mayMiss = !required.has(name);
      if (mayMiss && (depth >= deepest || (isFull && least <= required.size))) return [];
      const own = Object.hasOwn(properties, name);
      const at = own ? [...path, "properties", name] : [...path, "additionalProperties"];
      const given = own ? properties[name] : additional;
      const value = formOrError(() => this.form(given, at, depth + 1));
      if (value instanceof SchemaError) {
        if (mayMiss) return [];
        throw value;
      }
      return [
        { form: sequence(literal(`${JSON.stringify(name)}:`), value), mayMiss: mayMiss && least <= required.size },
      ];
    });
    const from = (index: number, isFirst: boolean): Form => {
      const member = members[index];
      if (member === undefined) return literal("}");
      const here = sequence(
        literal(isFirst ? "" : ","),
        member.form,
        lazy(() => from(index + 1, false)),
      );
      return member.mayMiss ? either([here, lazy(() => from(index + 1, isFirst))]) : here;
    };
    return sequence(literal("{"), from(0, true));
  }

  #array(schema: JsonObject, path: Path, depth: number): Form {
    const { minItems: least = 0, maxItems: most, prefixItems, items } = schema;
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    const low = Math.max(Number(least), 0);
    const high = Math.min(
      Number(most ?? Infinity),
      Math.max(low, first.length) + (depth >= deepest || items === false ? 0 : moreItems),
    );
    if (low > high || (items === false && low > first.length)) return none(path);
    const given = (index: number): Form =>
      index < first.length
        ? this.form(first[index], [...path, "prefixItems", index], depth + 1)
        : this.form(items ?? {}, [...path, "items"], depth + 1);
    const last = items === false ? Math.min(high, first.length) : high;
    if (last === 0 || (low === 0 && depth >= deepest)) return literal("[]");
    // An unsupported schema must fail at once, not in the middle of an answer.
    if (low > 0) for (let index = 0; index < Math.min(low, first.length + 1); index++) given(index);
    else if (formOrError(() => given(0)) instanceof SchemaError) return literal("[]");
    const from = (index: number): Form => {
      const item = sequence(
        literal(index === 0 ? "" : ","),
        lazy(() => given(index)),
        lazy(() => from(index + 1)),
      );
      if (index >= last) return literal("]");
      return index < low ? item : either([item, literal("]")]);
    };
    return sequence(literal("["), from(0));
  }
}

function stringForm(schema: JsonObject, path: Path): Form {
  const { pattern, format, minLength, maxLength } = schema;
  const least = Number(minLength ?? 0);
  const most = Number(maxLength ?? Infinity);
  if (least > most) return none(path);
  const quoted = (form: Form) => sequence(literal('"'), form, literal('"'));
  if (typeof pattern === "string") {
    if (minLength !== undefined || maxLength !== undefined) {
      const message = "has a pattern and a limit of length, and this model keeps to one of them. Leave one of them out";
      throw new SchemaError([...path, "pattern"], message);
    }
    const fail = (why: string) => {
      throw new SchemaError([...path, "pattern"], `: ${why}`);
    };
    return quoted(patternForm(pattern, fail));
  }
  const example = typeof format === "string" ? formats[format] : undefined;
  if (example !== undefined && example.length >= least && example.length <= most) return quoted(literal(example));
  return quoted(repeat(oneOf(plainCharacters), least, Math.min(most, least + longest)));
}

/** The form that `make` returns, or why there is none. */
function formOrError(make: () => Form): Form | SchemaError {
  try {
    return make();
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

function none(path: Path): never {
  throw new SchemaError(path, "allows no value");
}

/** The type of a schema that does not name one. */
function guess(schema: JsonObject): string {
  if (isObject(schema["properties"]) && Object.keys(schema["properties"]).length > 0) return "object";
  if (listOf(schema["required"]).length > 0) return "object";
  if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return "array";
  if (schema["minimum"] !== undefined || schema["maximum"] !== undefined) return "number";
  return "string";
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
