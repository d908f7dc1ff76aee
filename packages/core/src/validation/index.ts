/**
 * What validation means for a service: schemas made ready for Ajv, and Ajv's errors as faults. Shared by the generated
 * validators, the mock and the local server. Needs no library and no runtime of a certain kind.
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
export { ajvOptions, formats } from "./formats.ts";
export { isObject, type JsonObject } from "./json.ts";
export { escapeToken, joinPointer, memberAt, pointerTokens, resolvePointer, unescapeToken } from "./pointer.ts";
export { unlistedMember } from "./open-set.ts";
export { prepareSchema } from "./prepare-schema.ts";
