import { expect, it } from "vitest";
import { jsonText, keepIntegers, marked, unmarked } from "./digits.ts";

it.each(["9007199254740993", "1.0", "-0", "1e400", '{"a":[1.50,2],"b":"1.0 \\" 1.0"}', 'data: x " 1.0 "y" 2.0'])(
  "keeps the digits of %s",
  (text) => {
    expect(unmarked(marked(text))).toBe(text);
    // Also within a text of JSON.
    expect(unmarked(JSON.stringify({ text: marked(text) }))).toBe(JSON.stringify({ text }));
  },
);

it("reads a text of 20 MB", { tags: ["long"] }, () => {
  const text = `{"long":"${`${"x".repeat(1000)} \\" 1 `.repeat(20_000)}","id":9007199254740993}`;
  expect(unmarked(marked(text)) === text).toBe(true);
  const value = JSON.parse(marked(text));
  expect([value.long.length > 10_000_000, unmarked(value.id)]).toEqual([true, "9007199254740993"]);
  keepIntegers("9007199254740993");
  expect(jsonText(JSON.parse(text)) === text.replace(/\d+\}$/, "9007199254740993}")).toBe(true);
});

it("writes the integers of documents as they are", () => {
  keepIntegers('{"id": 21473794133340467, "max": 9223372036854775807}');
  const value = JSON.parse('{"id":21473794133340467,"other":21473794133340999,"max":9223372036854775807,"x":1.5}');
  const other = String(value.other);
  expect(jsonText(value)).toBe(`{"id":21473794133340467,"other":${other},"max":9223372036854775807,"x":1.5}`);
  expect(jsonText(`${value.id}`)).toBe(`"${value.id}"`);
});
