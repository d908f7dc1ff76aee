import { Failure } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import { fit, schemaName, spaced } from "./naming.ts";

/** A property of a new schema. */
export interface Property {
  readonly name: string;
  readonly optional: boolean;
  readonly schema: JsonObject;
}

const types: Readonly<Record<string, JsonObject>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  object: { type: "object" },
  uuid: { type: "string", format: "uuid" },
  "date-time": { type: "string", format: "date-time" },
};

/**
 * Reads `name:type`, as in TypeScript: `note?:string` is optional, `tags:string[]` is a list, `end:date-time|null` may
 * be null, and `owner:Model` refers to a schema, which `refer` finds.
 *
 * @throws {@link Failure} if it is invalid
 */
export function readProperty(text: string, refer: (schema: string) => string): Property {
  const [, name = "", question, type = ""] = /^([^:?]+)(\?)?:(.+)$/.exec(text) ?? [];
  if (name === "")
    throw new Failure(`"${text}" is not a property. Write name:type, such as note?:string or tags:string[].`);
  fit("name of a property", name, /^[a-z][a-z0-9_]*$/, "it in snake case, such as created_at");
  const described = { description: `The ${spaced(name)}.` };
  const schema = typeSchema(type, refer);
  return { name, optional: question !== undefined, schema: { ...schema, ...("$ref" in schema ? {} : described) } };
}

function typeSchema(text: string, refer: (schema: string) => string): JsonObject {
  if (text.endsWith("|null")) {
    const schema = typeSchema(text.slice(0, -"|null".length), refer);
    const { type } = schema;
    return typeof type === "string" ? { ...schema, type: [type, "null"] } : { anyOf: [schema, { type: "null" }] };
  }
  if (text.endsWith("[]")) return { type: "array", items: typeSchema(text.slice(0, -2), refer) };
  const builtIn = types[text];
  if (builtIn !== undefined) return builtIn;
  if (schemaName.test(text)) return { $ref: refer(text) };
  throw new Failure(`"${text}" is not a type. Choose ${Object.keys(types).join(", ")}, or a schema such as Model.`);
}

/** The content of a new schema's file. */
export function objectSchema(description: string, basis: string, properties: readonly Property[]): JsonObject {
  const required = properties.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: "object",
    description,
    "x-basis": basis,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
  };
}
