/**
 * Serves OpenAPI documents: request handling, validation, errors, and planned faults. The mock, the local server and the
 * tiny model's server are built on it.
 *
 * @module
 */
export {
  byExample,
  Disconnect,
  StreamRefusal,
  ThreadEnd,
  type Answer,
  type NotModified,
  type TextAnswer,
  type ExampleAnswer,
  type Handler,
  type Handlers,
  type PlannedReply,
} from "./answer.ts";
export { depthOf } from "./body.ts";
export { createAnswerCheck, type AnswerCheck, type RuleCheck, type Violation } from "./answer-check.ts";
export { contentHash } from "./content-hash.ts";
export { isLoopback } from "./cors.ts";
export { judgeInThread } from "./judge-in-thread.ts";
export { type Reader, type Readers } from "./judge.ts";
export { type Call } from "./call.ts";
export { messageOf } from "./errors.ts";
export { exampleOf, headersOf, successOf, type Example, type Wanted } from "./examples.ts";
export { host, type Host, type HostOptions, type RequestLog } from "./host.ts";
export { invalidStatus } from "./invalid-status.ts";
export type { Caller, Credential, Owner } from "./keys.ts";
export { limitsOf, type LimitOptions, type Limits } from "./limits.ts";
export { listen, type Listener, type ListenOptions, type Patience } from "./listen.ts";
export { readParameterValues } from "./parameters.ts";
export {
  noOperation,
  PlannedFaults,
  replacesAnswer,
  type PlannedAnswer,
  type PlannedError,
  type PlannedFault,
  type PlannedToolCall,
} from "./planned-faults.ts";
export { hostCodes, refuse, refuseFault, refuseFaults, type HostCode, type Refusal } from "./refusal.ts";
export { exampleHeader } from "./response.ts";
export { sampleOf, usualSteps, valuesOf } from "./sample.ts";
export { SchemaError, type Budget } from "./sampler.ts";
export { createRouter, type Route } from "./routes.ts";
export { type Api, type Plans } from "./service.ts";
export { validatorOf, type Source, type Validator } from "./validator.ts";
export { type Arrival } from "./request-context.ts";
