import type { ChatFinishReason } from "@trainyard/core/chat";
import type { PlannedAnswer, PlannedToolCall } from "@trainyard/host";

/** What the types of a plan need to know of an operation. */
export interface OperationTypes {
  /** The body of a request. */
  readonly request: unknown;
  /** The bodies of its answers, by status. */
  readonly answers: object;
  /** One event of its stream; `never` where it has none. */
  readonly chunk: unknown;
}

/** The operations of a service by their names. */
export type Contract = { readonly [Name in string]: OperationTypes };

/** Operations of which nothing but the names is known to the compiler: plans of them are checked when they are made. */
export type Untyped<Name extends string> = {
  readonly [N in Name]: { readonly request: unknown; readonly answers: object; readonly chunk: unknown };
};

/** The contract of a client: from its table of operations, its `paths`, and the event of its streams. */
export type ContractOf<Operations, Paths, Chunk> = {
  readonly [Name in Extract<keyof Operations, string>]: {
    readonly request: RequestOf<NodeOf<Operations[Name], Paths>>;
    readonly answers: AnswersOf<NodeOf<Operations[Name], Paths>>;
    readonly chunk: Operations[Name] extends { readonly stream: object } ? Chunk : never;
  };
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

/** How an answer is sent, and what may go wrong with it. */
type Sending = Omit<PlannedAnswer, "status" | "body" | "chunks" | "toolCalls" | "finishReason">;

/** What a model says, where the operation is a chat. */
interface Words<Chunk> {
  /**
   * What the model says, piece by piece: text, or whole chunks. A request that asks for no stream gets the pieces as one answer.
   */
  readonly chunks?: readonly string[] | readonly Chunk[];
  /** The tools that the model calls, after what it says. */
  readonly toolCalls?: readonly PlannedToolCall[];
  /** Why the answer ends; `tool_calls` where there are any, else `stop`. */
  readonly finishReason?: ChatFinishReason | (string & {});
}

/** What has no stream has none of these. */
type NoWords = { readonly [Key in keyof Words<never>]?: never };

type BodyOf<Operation extends OperationTypes, Status> = Status extends keyof Operation["answers"]
  ? Operation["answers"][Status]
  : unknown;

/**
 * An answer to an operation, as a test plans it. `body` has the type that the operation declares for its status, 200 by default,
 * and `chunks` that of its stream; with `unchecked: true` they may be anything.
 */
export type Plan<
  Operation extends OperationTypes,
  Status extends number = number,
  Unchecked extends boolean = boolean,
> = Sending & {
  /** Any status: of those that the contract does not have, 400 and more. */
  readonly status?: Status;
  /** The body: text goes out as it is, anything else as JSON. */
  readonly body?: Unchecked extends true ? unknown : BodyOf<Operation, Status>;
  /** Whether the answer may be one that the contract does not allow. */
  readonly unchecked?: Unchecked;
} & (Unchecked extends true
    ? Words<unknown>
    : [Operation["chunk"]] extends [never]
      ? NoWords
      : Words<Operation["chunk"]>);

type Declared<Operation extends OperationTypes> = Extract<keyof Operation["answers"], number>;

/** What goes wrong on the way, such as a proxy's 502: a status that the operation does not declare. Its body may be anything. */
type Undeclared<Operation extends OperationTypes> = Exclude<ErrorStatus, Declared<Operation>>;

// prettier-ignore
type ErrorStatus =
  | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422
  | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 511 | 520 | 521 | 522
  | 523 | 524 | 525 | 526 | 529 | 530;

/** A plan of any status, with the body that the operation declares for it. One without a status is a 200. */
export type AnyPlan<Operation extends OperationTypes> = [Declared<Operation>] extends [never]
  ? Plan<Operation>
  :
      | { [Status in Declared<Operation>]: Plan<Operation, Status, false> & Named<Status> }[Declared<Operation>]
      | (Plan<Operation, Undeclared<Operation>, false> & Named<Undeclared<Operation>>)
      | (Plan<Operation, number, true> & { readonly unchecked: true });

type Named<Status> = Status extends 200 ? unknown : { readonly status: Status };
