import type { Answer } from "./answer.ts";
import { requestIdOf } from "./errors/response.ts";
import type { ApiPromise } from "./result.ts";

/** Creates the promise that a method returns. */
export function promiseOf<Data>(
  sent: Promise<Answer>,
  make: (answer: Answer) => Data | Promise<Data>,
): ApiPromise<Data> {
  const made = sent.then(async (answer) => {
    const { response } = answer;
    return { data: await make(answer), response, requestId: requestIdOf(response) };
  });
  const promise = made.then(({ data }) => data);
  return Object.assign(promise, {
    withResponse: () => {
      // Callers of `withResponse()` never observe the other promise, so silence its rejection.
      promise.catch(() => {});
      return made;
    },
  });
}
