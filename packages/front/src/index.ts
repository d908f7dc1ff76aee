/**
 * What a server needs that answers as a document says: its operations, and how bodies, parameters, keys and origins are
 * read and judged. Shared by the mock, the local server and the tiny model.
 *
 * @module
 */
export { parseBody, readBody, type Body, type BodyLimits } from "./body.ts";
export { allowOrigin, answerPreflight, isPreflight, originHeaders } from "./cors.ts";
export {
  isJson,
  readOperations,
  readPrefix,
  type DocumentOperation,
  type DocumentResponse,
  type Parameter,
  type RequestBody,
  type SecurityScheme,
} from "./document.ts";
export { gentleStop, type StoppableServer } from "./gentle-stop.ts";
export { judgeKey, type Credential, type KeyVerdict } from "./keys.ts";
export { readParameterValues } from "./parameters.ts";
export { pathFault } from "./path-ids.ts";
export { createRouter, type Route } from "./routes.ts";
export { invalidStatus } from "./invalid-status.ts";
export { createValidator, listsFaults, type Source, type Validator } from "./validator.ts";
