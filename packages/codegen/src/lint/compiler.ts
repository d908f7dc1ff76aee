import { isObject } from "@trainyard/core/validation";
import { formats, schemaKeywords } from "@trainyard/document";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isReference } from "./node.ts";
import { follow } from "./document.ts";
import type { Context, Place } from "./redocly.ts";

const { maps, lists, single } = schemaKeywords;

/** OpenAPI keywords without an effect on validity, which Ajv rejects as unknown. */
const ignored = new Set(["example", "externalDocs", "xml"]);

const strictness = { strict: false, allErrors: true, logger: false } as const;

/** Validates schemas by JSON Schema's own schema. It is shared, because compiling that takes 30 ms for each instance of Ajv. */
const metaschema = new Ajv2020(strictness);

/** A schema that does not compile, and its location. */
export class SchemaError extends Error {
  readonly location: Place;

  constructor(message: string, location: Place) {
    super(message);
    this.location = location;
  }
}

/** Compiles the schemas of one document that is split over files, under dialect 2020-12. */
export class Compiler {
  readonly #context: Context;
  readonly #ajv: Ajv2020;
  readonly #ids = new Map<string, string>();
  /** Locations of the registered schemas by id, innermost first. */
  readonly #places = new Map<string, Place>();

  constructor(context: Context) {
    this.#context = context;
    // Unknown keywords and formats are errors, because the mock skips a schema that it does not understand.
    this.#ajv = new Ajv2020({ ...strictness, formats, strictSchema: true, discriminator: true, validateSchema: false });
  }

  /** The validator of a schema or of its reference's target. Throws {@link SchemaError}. */
  compile(schema: unknown, location: Place): ValidateFunction {
    const id = isReference(schema) ? this.#reference(schema, location) : this.#register(schema, location);
    try {
      return this.#get(id);
    } catch (error) {
      throw this.#innermost(error, location);
    }
  }

  #get(id: string): ValidateFunction {
    const validate = this.#ajv.getSchema(id);
    if (!validate) throw new Error(`no schema ${id}`);
    return validate;
  }

  /** The deepest schema that fails by itself. Schemas that contain it fail because of it. */
  #innermost(error: unknown, location: Place): SchemaError {
    for (const [id, place] of this.#places) {
      try {
        this.#get(id);
      } catch (cause) {
        return new SchemaError(messageOf(cause), place);
      }
    }
    return new SchemaError(messageOf(error), location);
  }

  #reference(reference: unknown, location: Place): string {
    const target = follow(reference, location, this.#context);
    // Redocly's own rule reports unresolved references.
    return target ? this.#register(target.node, target.location) : this.#register({}, location);
  }

  #register(schema: unknown, location: Place): string {
    const known = this.#ids.get(location.absolutePointer);
    if (known !== undefined) return known;
    const id = `schema://contract/${this.#ids.size}`;
    // Before its parts, so that a schema may contain itself.
    this.#ids.set(location.absolutePointer, id);
    const clean = this.#clean(schema, location);
    try {
      const valid = isObject(clean) ? clean : { not: {} };
      // It throws if the schema is invalid. Only asynchronous schemas have a promise.
      void metaschema.validateSchema(valid, true);
      this.#ajv.addSchema(valid, id);
    } catch (error) {
      throw new SchemaError(messageOf(error), location);
    }
    this.#places.set(id, location);
    return id;
  }

  /** The schema in Ajv's form: references by id, without keywords that only OpenAPI knows. */
  #clean(schema: unknown, location: Place): unknown {
    if (!isObject(schema)) return schema;
    const clean: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key.startsWith("x-") || ignored.has(key)) continue;
      if (key === "$ref") clean[key] = this.#reference({ $ref: value }, location);
      else if (key === "discriminator" && isObject(value)) clean[key] = { propertyName: value["propertyName"] };
      else if (single.includes(key)) clean[key] = this.#clean(value, location);
      else if (lists.includes(key) && Array.isArray(value))
        clean[key] = value.map((each) => this.#clean(each, location));
      else if (maps.includes(key) && isObject(value)) {
        clean[key] = Object.fromEntries(
          Object.entries(value).map(([name, each]) => [name, this.#clean(each, location)]),
        );
      } else clean[key] = value;
    }
    return clean;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
