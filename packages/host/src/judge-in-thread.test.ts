import { readDocument } from "@trainyard/document";
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { readers } from "../test/readers.ts";
import { turnsUntil } from "../test/turns.ts";
import { judgeHere, type JudgedBody } from "./judge.ts";
import { validatorOf } from "./validator.ts";
import { judgeInThread } from "./judge-in-thread.ts";

const root = {
  openapi: "3.1.0",
  "x-trainyard": 1,
  info: { title: "Notes", version: "1" },
  paths: {
    "/notes": { post: operation("notes.create"), put: operation("notes.count") },
  },
  components: {
    schemas: {
      Note: {
        type: "object",
        required: ["text"],
        properties: { text: { type: "string" }, more: { type: "array", items: { $ref: "#/components/schemas/Note" } } },
      },
    },
  },
};

function operation(name: string): object {
  return {
    operationId: name,
    "x-client-method": name,
    requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Note" } } } },
    responses: { "200": { description: "It is kept." } },
  };
}

const named = (name: string) => readDocument(root).operations.find((operation) => operation.name === name);
const [create, count] = [named("notes.create"), named("notes.count")];
if (!create || !count) throw new Error("The document has no operations.");
const here = judgeHere(validatorOf(root), readers);
const module = new URL("../test/readers.ts", import.meta.url);
const { judge, close } = judgeInThread(here, { root, readers: module, above: 10 });
afterAll(close);
const limits = { bytes: 1e9, depth: 20 };
const ask = { digest: true };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The result for a validated body, with the values of its getters. */
function resultOf({ body, faults, digest }: JudgedBody): unknown {
  if (body.kind !== "json") return { ...body, faults, digest };
  const text = new TextDecoder().decode(body.bytes);
  return { value: faults.length > 0 ? undefined : body.value, text, faults, digest };
}

const note = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.record({ text: fc.string(), more: fc.array(tie("any"), { maxLength: 4 }) }, { requiredKeys: ["text"] }),
    fc.record({ text: fc.oneof(fc.string(), fc.integer()) }),
    fc.constant({ more: [] }),
  ),
})).any;

it.each([create, count])("returns the same result for a body of $name as this thread", async (route) => {
  await fc.assert(
    fc.asyncProperty(note, fc.boolean(), async (value, pretty) => {
      const text = JSON.stringify(value, null, pretty ? 1 : 0).padEnd(20);
      const beside = await judge(route, bytesOf(text), limits, ask);
      expect(resultOf(beside)).toEqual(resultOf(here(route, bytesOf(text), limits, ask)));
    }),
    { numRuns: 200 },
  );
});

it.each([
  ["no JSON", bytesOf('{"text": "a", "more": [}')],
  ["no UTF-8", new Uint8Array(20).fill(0xff)],
  ["too deep", bytesOf(`${"[".repeat(30)}${"]".repeat(30)}`)],
])("rejects %s with the same message", async (_, bytes) => {
  const beside = await judge(create, bytes.slice(), limits, ask);
  expect(resultOf(beside)).toEqual(resultOf(here(create, bytes, limits, ask)));
});

it("transfers the bytes to the thread, and back", async () => {
  const bytes = bytesOf('{"text":"What is sent"}');
  const { body } = await judge(create, bytes, limits);
  expect(bytes.byteLength).toBe(0);
  expect(body).toEqual({ kind: "json", value: { text: "What is sent" }, bytes: bytesOf('{"text":"What is sent"}') });
});

it("validates small bodies in this thread, synchronously", () => {
  expect(judgeInThread(here, { root }).judge(create, bytesOf("{}"), limits)).toMatchObject({
    faults: [{ type: "missing" }],
  });
});

it("does not block this thread", async () => {
  const notes = Array.from({ length: 100_000 }, (_, index) => ({ text: `a note ${index}` }));
  const bytes = bytesOf(JSON.stringify({ text: "all", notes }));
  const judged = Promise.resolve(judge(create, bytes, limits));
  const turns = await turnsUntil(judged);
  expect((await judged).faults).toEqual([]);
  expect(turns).toBeGreaterThan(50);
});

it("takes turns between owners", async () => {
  const order: string[] = [];
  const ask = async (owner: string, count: number) => {
    const notes = Array.from({ length: count }, (_, index) => ({ text: `a note ${index}` }));
    // The value of an invalid body is not sent back, which takes time of its own.
    await judge(create, bytesOf(JSON.stringify({ text: 1, notes })), limits, { digest: false, owner });
    order.push(owner);
  };
  await Promise.all([ask("a", 20_000), ask("a", 20_000), ask("a", 20_000), ask("b", 100)]);
  expect(order).toEqual(["a", "b", "a", "a"]);
});

it("says why the thread cannot start, each time", async () => {
  const broken = judgeInThread(here, { root, readers: new URL("data:text/javascript,"), above: 10 });
  for (let tries = 0; tries < 2; tries++) {
    const judged = broken.judge(create, bytesOf('{"text":"a note"}'), limits);
    await expect(judged).rejects.toThrow(/^The thread "body validation" has ended: .* exports no readers\.$/);
  }
  await broken.close();
});
