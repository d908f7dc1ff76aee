import type { ServiceTypes } from "../generated/services.ts";
import type { IdempotencyKey } from "../store/commands/idempotency.ts";
import type { readers } from "../handlers/readers.ts";
import type { byExample, Call as HostCall, NotModified, Refusal, TextAnswer } from "@trainyard/host";

/** The name of a service of the local server, or of its control interface. */
export type ServiceName = keyof ServiceTypes;
/** The names of a service's operations: `models.create`. */
export type OperationName<S extends ServiceName> = keyof ServiceTypes[S]["table"] & string;

/** The types of an operation in the document. */
export type OperationOf<S extends ServiceName, N extends OperationName<S>> = ServiceTypes[S]["table"][N] extends {
  path: infer Path extends keyof ServiceTypes[S]["paths"];
  method: infer Method extends string;
}
  ? ServiceTypes[S]["paths"][Path][Lowercase<Method> & keyof ServiceTypes[S]["paths"][Path]]
  : never;

type Part<O, Source extends "path" | "query"> = O extends { parameters: { [K in Source]: infer Values } }
  ? Values
  : Record<string, never>;
type Body<O> = O extends { requestBody: { content: { "application/json": infer Value } } } ? Value : undefined;

/** A request that the document allows, with its caller. */
export interface Call<O, B = Body<O>> extends Pick<HostCall, "owner" | "keyId" | "headers" | "bytes" | "signal"> {
  readonly path: Part<O, "path">;
  readonly query: NonNullable<Part<O, "query">>;
  /** The body, or what the operation's reader returned for it. */
  readonly body: B;
  /** Identifies a repetition of this request; present if it carries an `Idempotency-Key`. */
  readonly idempotency?: IdempotencyKey;
}

type Responses<O> = O extends { responses: infer R } ? R : never;
type Json<R> = R extends { content: { "application/json": infer Value } } ? Value : never;
type ErrorStatus<O> = Exclude<keyof Responses<O> & number, 200>;
type CodeIn<Body> = Body extends { error: { code: infer Code } } | { error_type?: infer Code } ? Code : never;
type DeclaredCode<O> = Extract<CodeIn<Json<Responses<O>[ErrorStatus<O> & keyof Responses<O>]>>, string>;
/** A code that the document declares. The errors of some documents have none, and then a refusal's code is not sent. */
type ErrorCode<O> = [DeclaredCode<O>] extends [never] ? string : DeclaredCode<O>;
type Streams<R> = R extends { content: { "text/event-stream": unknown } }
  ? { stream: ReadableStream<Uint8Array> }
  : never;
type Texts<R> = R extends { content: infer Content }
  ? {
      [Media in Exclude<keyof Content, "application/json" | "text/event-stream">]: TextAnswer & { mediaType: Media };
    }[Exclude<keyof Content, "application/json" | "text/event-stream">]
  : never;

/**
 * What an operation may return: a body that the document declares for its status, a stream or text if it declares one,
 * a refusal with a status and a code that it declares, or 304.
 */
export type Answer<O> =
  | {
      [S in keyof Responses<O> & number]: {
        readonly status: S;
        readonly body: Json<Responses<O>[S]>;
        readonly headers?: Readonly<Record<string, string>>;
      };
    }[keyof Responses<O> & number]
  | (200 extends keyof Responses<O> ? Streams<Responses<O>[200]> | Texts<Responses<O>[200]> : never)
  | NotModified
  | Refusal<ErrorStatus<O>, ErrorCode<O>>;

/** Performs an operation. A response that the document does not declare does not compile. */
export type Handler<O, B = Body<O>> = (call: Call<O, B>) => Promise<Answer<O>>;

/** The body that a handler receives: the value that the operation's reader returned, if there is a reader. */
type BodyOf<S extends ServiceName, N extends OperationName<S>> = S extends "training"
  ? N extends keyof typeof readers
    ? ReturnType<(typeof readers)[N]>
    : Body<OperationOf<S, N>>
  : Body<OperationOf<S, N>>;

/**
 * A handler for every operation of a service. `byExample` marks an operation without a handler, which returns an
 * example.
 */
export type Handlers<S extends ServiceName> = {
  readonly [N in OperationName<S>]: Handler<OperationOf<S, N>, BodyOf<S, N>> | typeof byExample;
};
