import { ajvOptions, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Fits } from "./arbitrary.ts";

/** Makes the judge that no code of ours has touched: the schemas as they are written, by Ajv alone. */
export function judgeOf(document: object): Fits {
  const ajv = new Ajv2020({ ...ajvOptions, discriminator: false, allErrors: false, code: {} });
  // A body that is written inside its operation is referred to as well.
  const [components, paths] = [resolvePointer(document, "#/components"), resolvePointer(document, "#/paths")];
  ajv.addSchema({ $id: "document:", components, paths });
  const compiled = new WeakMap<JsonObject, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema));
    compiled.set(schema, validate);
    return validate(value);
  };
}

/** A schema whose references lead to the document from anywhere. */
function absolute(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document:#/'));
}
