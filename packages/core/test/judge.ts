import { Ajv2020 } from "ajv/dist/2020.js";
import { ajvOptions, faultsOf, prepareSchema, type Fault } from "../src/validation/index.ts";

/** For tests: the faults of a value under a schema of a document with these components. */
export function judge(schemas: Record<string, object>, name: string): (value: unknown) => Fault[] {
  const ajv = new Ajv2020(ajvOptions);
  ajv.addSchema(prepareSchema({ components: { schemas } }), "document");
  const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
  return (value) => (validate(value) ? [] : faultsOf(validate.errors ?? [], value));
}

/** For tests: Ajv's result for the original schema. */
export function verdict(schemas: Record<string, object>, name: string): (value: unknown) => boolean {
  const ajv = new Ajv2020({ ...ajvOptions, discriminator: false, code: {} });
  ajv.addSchema({ components: { schemas } }, "document");
  const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
  return (value) => validate(value);
}
