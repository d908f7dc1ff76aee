import fc from "fast-check";
import { expect, it } from "vitest";
import { colored, jsonText } from "./json-text.ts";

it("is the same JSON for any value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it("keeps every character when it colors", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain = colored(jsonText(value)).text.replaceAll(/<\/?i[^>]*>/g, "");
      const text = plain
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&");
      expect(text).toBe(jsonText(value));
    }),
  );
});

it("writes a short list on one line", () => {
  expect(jsonText({ bytes: [86, 111, 115, 115] })).toBe('{ "bytes": [86, 111, 115, 115] }');
});
