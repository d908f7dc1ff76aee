import fc from "fast-check";
import { expect, it } from "vitest";
import { Lines, type Line } from "./lines.ts";

/** Reads bytes that arrive in parts of these lengths, the last one for all that follow. */
function read(bytes: Uint8Array, lengths: readonly number[], limit = 1000, cuts = true): Line[] {
  const lines = new Lines(limit, cuts);
  const found: Line[] = [];
  for (let at = 0, part = 0; at < bytes.length; part++) {
    const length = lengths[part] ?? lengths.at(-1) ?? 1;
    found.push(...lines.in(bytes.subarray(at, at + length)));
    at += length;
  }
  return [...found, ...lines.rest()];
}

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });

it("finds the same lines, wherever their bytes are split", () => {
  const pieces = fc.array(fc.constantFrom("ü", "漢", "🚂", "a", "\u0000", "\r", "\n", "\r\n", "\u2028"));
  fc.assert(
    fc.property(pieces, lengths, (texts, parts) => {
      const text = texts.join("");
      const whole = text.split(/\r\n|\r|\n/);
      if (whole.at(-1) === "") whole.pop();
      expect(read(Buffer.from(text), parts).map((line) => line.text)).toEqual(whole);
    }),
    {
      examples: [
        [
          ["a", "\r", "\n", "\n"],
          [2, 1],
        ],
      ],
    },
  );
});

it("replaces invalid bytes, as a decoder of the whole line does", () => {
  fc.assert(
    fc.property(fc.uint8Array(), lengths, (bytes, parts) => {
      const line = bytes.filter((byte) => byte !== 10 && byte !== 13);
      expect(read(line, parts)).toEqual(line.length === 0 ? [] : [{ text: new TextDecoder().decode(line), more: 0 }]);
    }),
  );
});

it("cuts a line above its limit, says how much is left out, and splits no character", () => {
  const text = `${"a".repeat(5)}\n${"é".repeat(5)}\nb\n`;
  for (const length of [1, 2, 100]) {
    expect(read(Buffer.from(text), [length], 5)).toEqual([
      { text: "aaaaa", more: 0 },
      { text: "éé… (5 bytes more)", more: 5 },
      { text: "b", more: 0 },
    ]);
  }
});

it("reports a line above its limit before its end, if it is not to be cut", () => {
  const lines = new Lines(5, false);
  expect(lines.in(Buffer.from("a\nbbbbb"))).toEqual([{ text: "a", more: 0 }]);
  expect(lines.in(Buffer.from("bb"))).toEqual([{ text: "bbbbb", more: 2 }]);
});
