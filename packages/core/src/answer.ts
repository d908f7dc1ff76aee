import type { CallFacts } from "./errors/trainyard-error.ts";
import type { Limit } from "./limit.ts";

/** The result of a call: a response of any status. */
export interface Answer {
  readonly response: Response;
  /** The body. Empty if it is returned unread or as bytes. */
  readonly text: string;
  /** The body of a success, if the operation has {@link Operation.answers}. */
  readonly bytes?: Blob | undefined;
  readonly facts: CallFacts;
  /** The part of the operation that decides how JSON is read. */
  readonly operation: {
    readonly method: string;
    readonly needs?: readonly string[];
    readonly expects?: readonly string[];
  };
  /** The keys that were sent, which no error may repeat. */
  readonly keys: readonly { readonly key: string; readonly value: string }[];
  /** The origin of the service, for messages. */
  readonly origin: string;
  /** Whether this is a stream whose body is returned unread. */
  readonly open: boolean;
  /** Applies the time limits to a body that is returned unread. */
  readonly limit: Limit;
}

/** Reads answers of several kinds. */
export interface Answers {
  /** What a method returns. */
  readonly data: (answer: Answer) => unknown;
  /** What `openapi-fetch` gets. */
  readonly response: (answer: Answer, parseAs: string | undefined) => Promise<Response>;
}
