/** @module-tag long */
import { createInferenceClient } from "@trainyard/inference";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { memoryOf, startProcess } from "./own-process.ts";

// How many steps a schema takes is bounded in `host/src/sample.test.ts`.

/** Definitions, each of which refers to the next one twice. */
function twice(key: "anyOf" | "allOf") {
  const refs = (at: number) => [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }];
  const defs = Array.from({ length: 23 }, (_, at) => [
    `d${at}`,
    at === 22 ? { type: "none" } : { [key]: refs(at + 1) },
  ]);
  return { $ref: "#/$defs/d0", $defs: Object.fromEntries(defs) };
}
const nested = Array.from({ length: 18 }).reduce<object>((a) => ({ anyOf: [a, a] }), { type: "none" });
const named = Array.from({ length: 8000 }, (_, at) => [`property${at}`, { type: "string", title: "t".repeat(90) }]);
const schemas: [name: string, schema: object, status: number][] = [
  ["a pattern that backtracks", { type: "string", pattern: "^(a+)+$" }, 200],
  ["words that backtrack", { type: "string", pattern: "^([a-z]+ ?)+$" }, 200],
  ["branches that refer to two", twice("anyOf"), 400],
  ["parts that refer to two", twice("allOf"), 400],
  ["unions within unions", nested, 413],
  ["a megabyte", { type: "object", properties: Object.fromEntries(named) }, 400],
];

it("answers or refuses hostile schemas and other chats beside them, in at most 100 MiB more", async () => {
  const server = await startProcess(temporaryFolder());
  const { url, apiKey } = server;
  onTestFinished(() => server.kill());
  const { completions } = createInferenceClient({ baseUrl: `${url}/inference/v1`, apiKey, maxRetries: 0 }).chat;
  const ask = { model: "demo/tiny", messages: [{ role: "user" as const, content: "When?" }], max_tokens: 16 };
  await completions.create(ask);
  const before = await memoryOf(server);
  for (const [name, schema, status] of schemas) {
    const format = { type: "json_schema" as const, json_schema: { name: "a", schema: { ...schema } } };
    const hostile = completions.create({ ...ask, response_format: format });
    const [found] = await Promise.all([
      hostile.then(
        () => 200,
        (error: unknown) => Object(error).status,
      ),
      completions.create(ask),
    ]);
    expect([name, found]).toEqual([name, status]);
  }
  expect((await memoryOf(server)) - before).toBeLessThan(100);
  // Another chat waits for none of many such schemas.
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const [, , [, schema] = expect.fail("There is no such schema.")] = schemas;
  const format = { type: "json_schema" as const, json_schema: { name: "a", schema: { ...schema } } };
  const many = Array.from({ length: 40 }, () =>
    completions.create({ ...ask, response_format: format }).catch(note("refused")),
  );
  await Promise.all([...many, completions.create(ask).then(note("answered"))]);
  expect(order.indexOf("answered")).toBeLessThan(20);
  expect(order).toHaveLength(41);
});
