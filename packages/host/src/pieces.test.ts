import { MessageChannel } from "node:worker_threads";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { turnsUntil } from "../test/turns.ts";
import { Assembly, piecesOf, receivePieces } from "./pieces.ts";

const json = fc
  .oneof(
    { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 5 }) },
    { weight: 1, arbitrary: fc.array(fc.record({ role: fc.string(), content: fc.string() }), { maxLength: 50 }) },
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

it("joins the pieces of a value, in the same order", () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 200 }), (value, size) => {
      const assembly = new Assembly();
      for (const piece of piecesOf(value, size)) assembly.add(structuredClone(piece));
      expect(JSON.stringify(assembly.value)).toBe(JSON.stringify(value));
      expect(assembly.value).toEqual(value);
    }),
    { numRuns: 1000 },
  );
});

it("keeps a property whose name is __proto__", () => {
  const value: unknown = JSON.parse('{"a":{"__proto__":{"b":["long enough"]},"c":1},"__proto__":1}');
  const assembly = new Assembly();
  for (const piece of piecesOf(value, 2)) assembly.add(structuredClone(piece));
  expect(JSON.stringify(assembly.value)).toBe(JSON.stringify(value));
});

it("creates as many pieces as the value needs, of about the requested size", () => {
  const messages = (length: number) => Array.from({ length }, () => ({ role: "user", content: "Is the train late?" }));
  const sizes = (length: number) =>
    [...piecesOf({ model: "demo/tiny", messages: messages(length) }, 1000)].map(
      (piece) => JSON.stringify(piece).length,
    );
  expect(Math.max(...sizes(2000))).toBeLessThan(2000);
  expect(sizes(2000).length / sizes(1000).length).toBeCloseTo(2, 0);
});

it("yields to other tasks between two pieces", async () => {
  const { port1, port2 } = new MessageChannel();
  const value = Array.from({ length: 20 }, (_, index) => `word ${index}`);
  const pieces = [...piecesOf(value, 16)];
  for (const piece of pieces) port1.postMessage(piece);
  const received = receivePieces(port2);
  const turns = await turnsUntil(received);
  expect(await received).toEqual(value);
  expect(turns).toBeGreaterThanOrEqual(pieces.length);
});
