/**
 * The rules of validation: schemas prepared for Ajv, and Ajv's errors converted to faults. The generated validators, the
 * mock and the local server share them. Depends on no library and no specific runtime.
 *
 * @module
 */
export type { AjvErrorLike } from "./ajv-error.ts";
export { boundErrors } from "./bound-errors.ts";
export { faultsOf } from "./faults-of.ts";
export {
  faultTypes,
  formatLoc,
  limitFaults,
  mostFaults,
  saysMore,
  type Fault,
  type FaultType,
  type Loc,
} from "./fault.ts";
export { ajvOptions, formats, optionsFor } from "./formats.ts";
export { isObject, type JsonObject } from "./json.ts";
export { escapeToken, joinPointer, memberAt, pointerTokens, resolvePointer, unescapeToken } from "./pointer.ts";
export { isWellFormed, keywordsIn, unicodePattern } from "./keyword-forms.ts";
export { unlistedMember } from "./open-set.ts";
export { prepareSchema } from "./prepare-schema.ts";
export { hasType, jsonTypeOf, typesOf, type JsonType, type Lookup } from "./schema-types.ts";
