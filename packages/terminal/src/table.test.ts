import { expect, it } from "vitest";
import { markdownTable, textTable } from "./table.ts";

it("a table of text has aligned columns, and numbers end below each other", () => {
  const rows = [
    ["what", "bytes", "bar"],
    ["a method", "9,812", "≤ 10.0 kB"],
    ["all", "0.4 kB"],
  ];
  expect(textTable(rows)).toEqual(["what      bytes   bar", "a method   9,812  ≤ 10.0 kB", "all       0.4 kB"]);
  expect(textTable([])).toEqual([]);
});

it("a table in Markdown is as the formatter writes it", () => {
  expect(markdownTable([["", "a long head"], ["a|b", "1"], ["y"]])).toBe(
    String.raw`|      | a long head |
| ---- | ----------- |
| a\|b | 1           |
| y    |             |`,
  );
});
