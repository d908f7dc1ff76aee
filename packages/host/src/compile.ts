import { createRequire } from "node:module";
import { ajvOptions, optionsFor, prepareSchema, type AjvErrorLike, type JsonObject } from "@trainyard/core/validation";
import type * as Ajv from "ajv/dist/2020.js";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { dialect, formats } from "@trainyard/document";
import { matcherOf } from "./patterns.ts";

const require: NodeJS.Require = createRequire(import.meta.url);

/** Whether a union or enumeration is open, so that unlisted members are valid. */
export type IsOpen = (schema: JsonObject) => boolean;

/** A validation function, which leaves its errors in `errors`. */
export interface Validate {
  (value: unknown): unknown;
  errors?: readonly AjvErrorLike[] | null;
}

/** Returns the validation function of a schema, by its key. */
export type Compile = (key: string, schema: () => JsonObject) => Validate;

/** Compiles schemas of a document on demand. The document is prepared with the first of them. */
export function compilerOf(root: object, isOpen?: IsOpen): Compile {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<string, Validate>();
  return (key, schema) => {
    const existing = compiled.get(key);
    if (existing !== undefined) return existing;
    ajv ??= newAjv(prepareSchema(root, isOpen), dialect.version.read(Object(root)));
    const made: Validate = ajv.compile(prepareSchema(schema()));
    compiled.set(key, made);
    return made;
  };
}

/** Ajv's eighty modules are loaded with the first validation, so that a host starts without them. */
function newAjv(prepared: JsonObject, isOurs: boolean): Ajv2020 {
  const module = require("ajv/dist/2020.js") as typeof Ajv;
  // JSON can say 1e400, which is read as infinity: no number that can be stored or written again.
  // Patterns of our own documents have no text that takes long.
  const code = isOurs
    ? ajvOptions.code
    : { ...ajvOptions.code, regExp: Object.assign(matcherOf, { code: "matcherOf" }) };
  const ajv = new module.Ajv2020({ ...ajvOptions, code, formats, strictNumbers: true });
  Object.assign(ajv.opts, optionsFor(prepared));
  return ajv.addSchema(prepared, "document");
}
