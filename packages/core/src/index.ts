export {
  answersOf,
  anyAnswer,
  bytesAnswer,
  eventsAnswer,
  jsonAnswer,
  noneAnswer,
  textAnswer,
} from "./answer-readers.ts";
export { bodyAs, bytesBody, formBody, jsonBody, multipartBody, textBody } from "./bodies.ts";
export { basic, bearer, inCookie, inHeader, inQuery, type Carrier } from "./carrier.ts";
export { createEngine, type Engine } from "./engine.ts";
export { type AnyTrainyardError, isTrainyardError } from "./errors/any-error.ts";
export * from "./errors/index.ts";
export type { Fetch, FetchedResponse, FetchInit } from "./fetch.ts";
export type { HeaderValues } from "./headers.ts";
export { joinLists, pathList, pathLists } from "./join-lists.ts";
export { lineParser } from "./lines.ts";
export type { Logger, LogFacts, LogLevel } from "./logger.ts";
export { clientOf, pickClient, type MethodsOf } from "./methods.ts";
export type { Middleware, MiddlewareContext, OutgoingRequest } from "./middleware.ts";
export type { Method, Operation, Pagination, Resend, Service, Streaming } from "./operation.ts";
export type {
  CallOptions,
  ClientOptions,
  IdempotencyKeys,
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
  ItemStream,
  Page,
  PagePromise,
  Partially,
  Streamed,
  WithResponse,
} from "./result.ts";
export { call, paged, streamed, type Op, type Send } from "./sends.ts";
export { deepObject, delimited, exploded, flat, jsonText, styledQuery, withCookies } from "./styles.ts";
export type { Unlisted } from "./unlisted.ts";
export type { SchemaLike, SchemaResult, Validate, Validators } from "./validate.ts";
