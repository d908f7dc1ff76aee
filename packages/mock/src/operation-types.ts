import type { ChatFinishReason, ChatUsage } from "@trainyard/core/chat";
import type { PlannedAnswer, PlannedError, PlannedToolCall } from "@trainyard/host";

/** The types of an operation that plans need. */
export interface OperationTypes {
  /** The body of a request. */
  readonly request: unknown;
  /** The bodies of its responses, by status. */
  readonly answers: object;
  /** One event of its stream; `never` if it has none. */
  readonly chunk: unknown;
}

/** The operations of a service by their names. */
export type Contract = { readonly [Name in string]: OperationTypes };

/** Operations whose types the compiler does not know: their plans are checked when they are created. */
export type Untyped<Name extends string> = {
  readonly [N in Name]: { readonly request: unknown; readonly answers: object; readonly chunk: unknown };
};

/** The contract of a client: from its table of operations, its `paths`, and the event of its streams. */
export type ContractOf<Operations, Paths, Chunk> = {
  readonly [Name in Extract<keyof Operations, string>]: OperationOf<Operations, Name, Paths, Chunk>;
};

/** Its own name keeps what editors show of `once` short. */
type OperationOf<Operations, Name extends keyof Operations, Paths, Chunk> = {
  readonly request: RequestOf<NodeOf<Operations[Name], Paths>>;
  readonly answers: AnswersOf<NodeOf<Operations[Name], Paths>>;
  readonly chunk: Operations[Name] extends { readonly stream: object } ? Chunk : never;
};

type NodeOf<Operation, Paths> = Operation extends {
  readonly path: infer Path extends keyof Paths;
  readonly method: infer Method extends string;
}
  ? Paths[Path][Lowercase<Method> & keyof Paths[Path]]
  : never;

type RequestOf<Node> = Node extends { requestBody?: { content: { "application/json": infer Body } } }
  ? Body
  : undefined;

type AnswersOf<Node> = Node extends { responses: infer Responses }
  ? { [Status in keyof Responses]: ContentOf<Responses[Status]> }
  : object;

type ContentOf<Response> = Response extends { content: { "application/json": infer Body } }
  ? Body
  : Response extends { content: infer Text }
    ? Text[keyof Text]
    : undefined;

/** How a response is sent, and what may go wrong with it. */
type Sending = Omit<PlannedAnswer, "status" | "body" | keyof StreamParts<never>>;

/** The model's text and tool calls, if the operation is a chat. */
interface StreamParts<Chunk> {
  /**
   * The text of the model, in pieces: strings, or whole chunks. A request without a stream gets the pieces as one answer.
   */
  readonly chunks?: readonly string[] | readonly Chunk[];
  /** The tools that the model calls after its text. */
  readonly toolCalls?: readonly PlannedToolCall[];
  /** The finish reason. Default: `tool_calls` if there are any, else `stop`. */
  readonly finishReason?: ChatFinishReason | (string & {});
  /** The usage. Default: one token for each message, and for each piece of text or of a tool call. */
  readonly usage?: Partial<ChatUsage>;
  /** An error in place of the rest of the stream. A request without a stream gets it as its answer. */
  readonly error?: PlannedError;
}

/** An operation without a stream has none of these. */
type NoStreamParts = { readonly [Key in keyof StreamParts<never>]?: never };

type BodyOf<Operation extends OperationTypes, Status> = Status extends keyof Operation["answers"]
  ? Operation["answers"][Status]
  : unknown;

type ItemsOf<Body> = Body extends { readonly data: readonly (infer Item)[] }
  ? readonly Item[]
  : unknown extends Body
    ? readonly unknown[]
    : never;

/**
 * A planned response of an operation. With neither a success nor an error, the operation responds as usual, but later, with
 * other headers, or incompletely. `body` has the type that the operation declares for its status, by default 200, and
 * `chunks` that of its stream; with `unchecked: true` they may be anything.
 */
export type Plan<
  Operation extends OperationTypes,
  Status extends number = number,
  Unchecked extends boolean = boolean,
> = Sending & {
  /** Any status that the contract declares, or one from 400 that it does not. */
  readonly status?: Status;
  /** The body: a string is sent unchanged, anything else as JSON. */
  readonly body?: Unchecked extends true ? unknown : BodyOf<Operation, Status>;
  /** All items of a list, which answer page by page as the requests ask. The plan is used up with the last page. */
  readonly items?: ItemsOf<Unchecked extends true ? unknown : BodyOf<Operation, Status>>;
  /** Whether the contract may forbid the response. */
  readonly unchecked?: Unchecked;
} & (Unchecked extends true
    ? StreamParts<unknown>
    : [Operation["chunk"]] extends [never]
      ? NoStreamParts
      : StreamParts<Operation["chunk"]>);

type Declared<Operation extends OperationTypes> = Extract<keyof Operation["answers"], number>;

/** A failure on the way, such as a proxy's 502: a status that the operation does not declare. Its body may be anything. */
type Undeclared<Operation extends OperationTypes> = Exclude<ErrorStatus, Declared<Operation>>;

// prettier-ignore
type ErrorStatus =
  | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422
  | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 511 | 520 | 521 | 522
  | 523 | 524 | 525 | 526 | 529 | 530;

/** A plan of any status, with the body that the operation declares for it. The default status is 200. */
export type AnyPlan<Operation extends OperationTypes> = [Declared<Operation>] extends [never]
  ? Plan<Operation>
  :
      | { [Status in Declared<Operation>]: Plan<Operation, Status, false> & Named<Status> }[Declared<Operation>]
      | (Plan<Operation, Undeclared<Operation>, false> & Named<Undeclared<Operation>>)
      | (Plan<Operation, number, true> & { readonly unchecked: true });

type Named<Status> = Status extends 200 ? unknown : { readonly status: Status };
