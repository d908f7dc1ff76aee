import { raise } from "./errors/raise.ts";
import { requestIdOf } from "./errors/request-id.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { type CallInit, inside } from "./inside.ts";
import type { CallOptions } from "./options.ts";
import type { ApiPromise } from "./result.ts";

/** What `http` gives. */
export type HttpResult<Data> =
  | { data: Data; error?: never; response: Response }
  | { data?: never; error: unknown; response: Response };

/** A result of `http` that is no error: of those, methods have none. */
export interface Success<Data> {
  readonly data: Data;
  readonly response: Response;
  readonly facts: CallFacts;
}

/** The init of a call whose errors are thrown, with its body unread where `open` says so. */
export function initOf(options: CallOptions | undefined, open = false): CallInit {
  return { ...options, [inside]: { raise, open } };
}

/** Makes the promise that people get, out of what `http` promises. */
export function promiseOf<Data, Wanted>(
  sent: Promise<HttpResult<Data>>,
  make: (success: Success<Data>) => Wanted | Promise<Wanted>,
): ApiPromise<Wanted> {
  const made = sent.then(async (result) => {
    // `http` threw in place of an error, and this one has none.
    const success = result as Success<Data>;
    return { data: await make(success), response: success.response };
  });
  const data = made.then((result) => result.data);
  return Object.assign(data, {
    withResponse: async () => {
      // Who asks for this does not look at the other promise; its rejection must not count as unhandled.
      data.catch(() => {});
      const result = await made;
      return { ...result, requestId: requestIdOf(result.response) };
    },
  });
}
