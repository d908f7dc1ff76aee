export { basic, inHeader, inQuery, type Carrier } from "./carrier.ts";
export { createEngine, type Engine } from "./engine.ts";
export * from "./errors/index.ts";
export { joinLists } from "./join-lists.ts";
export type { Logger, LogFacts, LogLevel } from "./logger.ts";
export type { Middleware, MiddlewareContext, OutgoingRequest } from "./middleware.ts";
export type { Method, Operation, Operations, Pagination, Resend, Service, Streaming } from "./operation.ts";
export type {
  CallOptions,
  ClientOptions,
  Fetch,
  FetchedResponse,
  FetchInit,
  HeaderValues,
  KeyedCallOptions,
  QueryValue,
  Secret,
  StreamCallOptions,
} from "./options.ts";
export type {
  ApiPromise,
  EventStream,
  Fold,
  Folding,
  Page,
  PagePromise,
  Partially,
  Streamed,
  WithResponse,
} from "./result.ts";
export type { Unlisted } from "./unlisted.ts";
export type { SchemaIssue, SchemaLike, SchemaResult, Validate, Validators } from "./validate.ts";
