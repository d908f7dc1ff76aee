import * as own from "@trainyard/training";
import { expect, it } from "vitest";
import { bundled } from "../bench/sizes.ts";

/** A copy of the package, bundled and minified as in a program. */
async function minified(): Promise<typeof own> {
  const text = await bundled('export * from "@trainyard/training";');
  // Another URL, and so another module, at each call.
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}//${copies++}`);
}
let copies = 0;

type ErrorName = Exclude<Extract<keyof typeof own, `${string}Error`>, "isTrainyardError">;
const names = Object.keys(own).filter((name): name is ErrorName => /^[A-Z].*Error$/.test(name));
const [first, second] = await Promise.all([minified(), minified()]);

it("has the class of each error in both copies, under minified names", () => {
  expect(names).toContain("TrainingFailedError");
  expect(names.length).toBeGreaterThan(18);
  for (const name of names) {
    expect(first[name]).not.toBe(second[name]);
    expect(first[name].name).not.toBe(name);
  }
});

it.each(names)("%s keeps its name, and is recognized by each copy", (name) => {
  for (const [maker, others] of [
    [first, [second, own]],
    [own, [first, second]],
  ] as const) {
    // The constructor arguments do not matter here.
    const error: unknown = Object.create(maker[name].prototype, { outcomeUnknown: { value: false } });
    expect(error).toMatchObject({ name });
    const bases = names.filter((one) => Object.prototype.isPrototypeOf.call(maker[one].prototype, Object(error)));
    expect(bases).toContain(name);
    expect(bases).toContain("TrainyardError");
    for (const other of others) expect(names.filter((one) => error instanceof other[one])).toEqual(bases);
  }
});

it("applies to thrown errors: the first line has the name, and the other copy recognizes it", async () => {
  const fetch = async (): Promise<Response> => new Response('{"detail":"Too much."}', { status: 429 });
  const client = first.createTrainingClient({ baseUrl: "http://service.test", apiKey: "k", maxRetries: 0, fetch });
  const error: unknown = await client.health.check().catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    stack: expect.stringMatching(/^RateLimitError: health\.check: answered 429: Too much\./),
  });
  expect(error instanceof second.RateLimitError).toBe(true);
  expect(error instanceof second.ServerError).toBe(false);
});
