import { ajvOptions, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Fits } from "./arbitrary.ts";

/** Creates a validator of the original schemas with plain Ajv, independent of our code. */
export function judgeOf(document: object): Fits {
  const ajv = new Ajv2020({ ...ajvOptions, discriminator: false, allErrors: false, code: {} });
  // A body may also be an inline schema of its operation.
  const [components, paths] = [resolvePointer(document, "#/components"), resolvePointer(document, "#/paths")];
  ajv.addSchema({ $id: "document:", components, paths });
  const compiled = new WeakMap<JsonObject, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema));
    compiled.set(schema, validate);
    return validate(value);
  };
}

/** A schema whose references point into the document by its id. */
function absolute(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document:#/'));
}
