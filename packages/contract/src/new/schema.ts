import { Failure } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import { fit, sentence, spaced } from "./naming.ts";
import { type Plan, requireService } from "./plan.ts";
import { sample } from "./sample.ts";
import { toYaml } from "./yaml.ts";

export interface NewSchema {
  /** A service, or `common` for what services share. */
  readonly service: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly basis: string;
  /** Each as `name:type`. By default, the schema has an `id`. */
  readonly properties: readonly string[];
}

const schemaName = /^[A-Z][A-Za-z0-9]*$/;

/** Plans the file of a schema, with a valid example. */
export function planSchema(plan: Plan, { service, name, description, basis, properties }: NewSchema): void {
  fit("name of a schema", name, schemaName, "it in capitals, such as HardwareOption");
  const common = `openapi/common/schemas/${name}.yaml`;
  if (service !== "common") requireService(plan, service);
  if (service !== "common" && plan.has(common))
    throw new Failure(`${common} already exists. Refer to it, or choose another name.`);
  const refer = (target: string): string => {
    const found = schemaFile(plan, service, target);
    if (found === undefined) throw new Failure(`The schema ${target} does not exist. Create it first.`);
    return found.replace("../schemas/", "");
  };
  const read = (properties.length === 0 ? ["id:string"] : properties).map((text) => readProperty(text, refer));
  const names = read.map((property) => property.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) throw new Failure(`The property "${twice}" is given twice.`);
  const required = read.flatMap((property) => (property.optional ? [] : property.name));
  const schema: JsonObject = {
    type: "object",
    description: sentence(description ?? `A ${spaced(name)}`),
    "x-basis": basis,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(read.map((property) => [property.name, property.schema])),
  };
  const example = sample(schema, plan.follow(`openapi/${service}/schemas`), name);
  plan.create(`openapi/${service}/schemas/${name}.yaml`, toYaml({ ...schema, examples: [example] }));
}

/** The file of a schema, as a folder of the service refers to it: the service's own, or else a common one. */
export function schemaFile(plan: Plan, service: string, name: string): string | undefined {
  if (plan.has(`openapi/${service}/schemas/${name}.yaml`)) return `../schemas/${name}.yaml`;
  return plan.has(`openapi/common/schemas/${name}.yaml`) ? `../../common/schemas/${name}.yaml` : undefined;
}

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
