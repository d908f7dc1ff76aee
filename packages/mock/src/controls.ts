import type { AnyPlan, Contract, Plan } from "./operation-types.ts";

/** A request that reached an operation, also one that was refused. */
export interface RecordedRequest<Name extends string = string, Body = unknown> {
  readonly operation: Name;
  readonly method: string;
  /** The path of the service, without the base path. */
  readonly path: string;
  /** The parameters in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The JSON that was sent; undefined when there was none, or when it was malformed or too large. */
  readonly body: Body;
}

/** A planned answer that no request has used. */
export interface PendingPlan<Name extends string = string> {
  readonly operation: Name;
  /** As it was planned. */
  readonly answer: object;
}

/** The names of a contract's operations. */
export type NameOf<C extends Contract> = Extract<keyof C, string>;

/** What a test can do with a mock. */
export interface Controls<C extends Contract> {
  /**
   * Plans the answer to the next request of an operation. Several plans are used in order.
   *
   * A success (`body`, `example`, `chunks`, `toolCalls`) is for a request that is valid: another is refused as always, and the
   * plan stays. An error (`status` from 400, `disconnect`) comes whatever the request is. A plan with neither lets the operation
   * answer as always, but later, with other headers, or not to its end.
   *
   * @throws TypeError for a plan that the contract does not allow, with the field and the operation. With `unchecked: true` the
   *   mock sends what the contract does not allow.
   * @throws Error for an operation that the service does not have
   */
  once<Name extends NameOf<C>, const Status extends number = 200, const Unchecked extends boolean = false>(
    operation: Name,
    answer: Plan<C[Name], Status, Unchecked>,
  ): void;
  /**
   * Answers every valid request of an operation by a function, until `reset`. Plans of `once` come first. Where the function
   * returns nothing, the operation answers as always. Where it throws, or returns what the contract does not allow, the answer is
   * a 500 that says so, and `useMock` fails the test with that error.
   *
   * @throws Error for an operation that the service does not have
   */
  on<Name extends NameOf<C>>(
    operation: Name,
    answer: (request: RecordedRequest<Name, C[Name]["request"]>) => Reply<AnyPlan<C[Name]>>,
  ): void;
  /** The plans of `once` that no request has used, in the order in which they were made. */
  pending(): PendingPlan<NameOf<C>>[];
  /** Lets each answer wait, until `reset`. */
  delay(ms: number): void;
  /** The requests so far, the last 1,000 at most, oldest first: of one operation, or all. */
  requests<Name extends NameOf<C>>(operation: Name): RecordedRequest<Name>[];
  requests(): RecordedRequest<NameOf<C>>[];
  /** Forgets plans, functions, delay and requests. */
  reset(): void;
}

/** What a function of `on` returns. */
type Reply<Answer> = Answer | undefined | void | Promise<Answer | undefined | void>;
