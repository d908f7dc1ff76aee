import { inspect } from "node:util";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { printed } from "./print.ts";

const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined));

it.each([
  [["a", 1, null, undefined, true, -0, 2n]],
  [[{}, [], [1, "two", { three: 3 }], { "a-b": "it's", c: { d: { e: { f: 1 } } } }]],
  [[{ messages: [{ role: "system", content: "You help the travelers of a railway. Answer in one sentence." }] }]],
])("writes values like Node: %#", (values) => {
  expect(printed(values)).toBe(values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" "));
});

it("writes objects of plain values like Node", () => {
  // Node prints long lists of short items in columns. Samples print none.
  const objects = fc.dictionary(fc.stringMatching(/^[a-z][\w/]{0,12}$/), plain, { maxKeys: 6, noNullPrototype: true });
  fc.assert(
    fc.property(objects, (value) => {
      expect(printed([value])).toBe(inspect(value));
    }),
  );
});
