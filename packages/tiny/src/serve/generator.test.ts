import { expect, it } from "vitest";
import { ask, smallModel } from "../../test/lib.ts";
import { generate } from "./generator.ts";
import { ServedModels } from "./served-models.ts";

/** A model that aborts a request while it says the token of a number. */
function leavingAt(number: number) {
  const controller = new AbortController();
  const model = smallModel();
  const { logprobs } = model;
  let count = 0;
  model.logprobs = (...parts) => {
    if (++count === number) controller.abort(new Error("The client has left."));
    Reflect.apply(logprobs, model, parts);
  };
  return { models: new ServedModels("", async () => model), signal: controller.signal, count: () => count };
}

it.each([
  [1, {}],
  [70, { n: 32 }],
  [70, { n: 32, stream: true }],
])("ends with token %i when its client has left: %o", async (number, options) => {
  const { models, signal, count } = leavingAt(number);
  const request = { model: "demo/tiny", messages: ask("Is it?"), temperature: 2, ...options };
  const answer = (async () => {
    const found = await generate(models, { request, now: 0, weights: "demo/tiny" }, signal);
    if (Symbol.asyncIterator in found) for await (const _ of found);
  })();
  await expect(answer).rejects.toThrow("The client has left.");
  expect(count()).toBe(number);
});
