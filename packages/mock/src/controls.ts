import type { AnyPlan, Contract, OperationTypes, Plan } from "./operation-types.ts";

/** A request that matched an operation, even if it was rejected. */
export interface RecordedRequest<Name extends string = string, Body = unknown> {
  readonly operation: Name;
  readonly method: string;
  /** The path without the base path of the service. */
  readonly path: string;
  /** The parameters in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The JSON body; undefined if there was none, or if it was malformed or too large. */
  readonly body: Body;
}

/** A planned response that no request has used. */
export interface PendingPlan<Name extends string = string> {
  readonly operation: Name;
  /** The plan. */
  readonly answer: object;
}

/** The names of a contract's operations. */
export type NameOf<C extends Contract> = Extract<keyof C, string>;

/** The controls of a mock in a test. */
export interface Controls<C extends Contract> {
  /**
   * Plans the response to the next request of an operation: a success (`body`, `example`, `items`, `chunks`, `toolCalls`) to the
   * next valid one, an error (`status` from 400, `disconnect`) to any. Several plans are used in order.
   *
   * @throws TypeError if the contract does not allow the plan, unless it has `unchecked: true`
   * @throws Error if the service does not have the operation
   */
  once<Name extends NameOf<C>, const Status extends number = 200, const Unchecked extends boolean = false>(
    operation: Name,
    answer: Plan<C[Name], Status, Unchecked>,
  ): void;
  /**
   * Handles every valid request of an operation with a function, until `reset`. Plans of `once` take precedence. If the
   * function returns undefined, the operation responds as usual. If it throws, or returns what the contract does not allow,
   * the response is a 500 with the reason, and `useMock` fails the test with that error.
   *
   * @throws Error if the service does not have the operation
   */
  on<Name extends NameOf<C>>(
    operation: Name,
    answer: (request: RecordedRequest<Name, C[Name]["request"]>) => Reply<C[Name]>,
  ): void;
  /** The plans of `once` that no request has used, in order. */
  pending(): PendingPlan<NameOf<C>>[];
  /** Delays each response, until `reset`. */
  delay(ms: number): void;
  /**
   * The requests so far of one operation or of all, at most the last 1,000, oldest first. The body of one operation has the
   * operation's type; that of a request that was rejected may be anything.
   */
  requests<Name extends NameOf<C>>(operation: Name): RecordedRequest<Name, C[Name]["request"]>[];
  requests(): RecordedRequest<NameOf<C>>[];
  /** Removes plans, functions, delay and requests. */
  reset(): void;
}

/** The result of a function of `on`. */
type Reply<Operation extends OperationTypes> =
  | AnyPlan<Operation>
  | undefined
  | void
  | Promise<AnyPlan<Operation> | undefined | void>;
