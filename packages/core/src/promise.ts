import type { Answer } from "./answer.ts";
import { requestIdOf } from "./errors/response.ts";
import type { ApiPromise } from "./result.ts";

/** Creates the promise that a method returns. */
export function promiseOf<Data>(
  sent: Promise<Answer>,
  make: (answer: Answer) => Data | Promise<Data>,
): ApiPromise<Data> {
  const made = sent.then(async (answer) => ({ data: await make(answer), response: answer.response }));
  const data = made.then((result) => result.data);
  return Object.assign(data, {
    withResponse: async () => {
      // Callers of `withResponse()` never observe the other promise, so silence its rejection.
      data.catch(() => {});
      const result = await made;
      return { ...result, requestId: requestIdOf(result.response) };
    },
  });
}
