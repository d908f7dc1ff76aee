import * as fc from "fast-check";
import ts from "typescript";
import { expect, it } from "vitest";
import { docBlock, docComment, schemaTags, textOf } from "./doc-comment.ts";

it("is one line if it fits, and empty without content", () => {
  expect(docBlock({ text: "A map." })).toBe("/** A map. */\n");
  expect(docBlock({ tags: ["@deprecated"] })).toBe("/** @deprecated */\n");
  expect(docComment({ text: " \n " })).toBeUndefined();
});

it("keeps paragraphs, and puts tags below the text", () => {
  expect(docBlock({ text: "A map.\n\nOf paper,\nfolded.", tags: ["@default 1", "@beta"] }, "  ")).toBe(
    ["  /**", "   * A map.", "   *", "   * Of paper, folded.", "   * @default 1", "   * @beta", "   */", ""].join("\n"),
  );
});

it("breaks long lines at words", () => {
  const text = Array.from({ length: 80 }, (_, index) => `word${index}`).join(" ");
  const lines = docBlock({ text }).trim().split("\n").slice(1, -1);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(113);
  expect(lines.map((line) => line.replace(/^ \* /, "")).join(" ")).toBe(text);
});

it("shows the default, deprecation, and proposals", () => {
  expect(schemaTags({ default: "thin", deprecated: true, "x-basis": "proposed" })).toEqual([
    '@default "thin"',
    "@deprecated",
    "@beta",
  ]);
  expect(schemaTags({ default: false, "x-basis": "adopted" })).toEqual(["@default false"]);
});

it.each([
  ["Its size. Replaced by `length`.", "Its size.", "@deprecated Replaced by `length`."],
  ["Replaced by `models.get`,\n  in all. It is slow.", " It is slow.", "@deprecated Replaced by `models.get`, in all."],
  ["Its size. Nothing replaces it.", "Its size.", "@deprecated Nothing replaces it."],
  ["Replaced by @size.", "", "@deprecated Replaced by \\@size."],
  ["It is Replaced by hand", "It is Replaced by hand", "@deprecated"],
])("moves the replacement into the tag: %j", (description, text, tag) => {
  expect(textOf({ description, deprecated: true })).toBe(text);
  expect(schemaTags({ description, deprecated: true })).toEqual([tag]);
  expect(textOf({ description })).toBe(description);
});

it("escapes text that would end the comment, or become a tag or code", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("*", "/", "@", "\n", " ", "a", "\\", "`", "{", "}") }), (text) => {
      const source = `${docBlock({ text })}export type T = 1;\n`;
      const { statements } = ts.createSourceFile("t.ts", source, ts.ScriptTarget.Latest, true);
      expect(statements).toHaveLength(1);
      const [statement] = statements;
      if (statement === undefined) throw new Error("The source has no statement.");
      expect(ts.getJSDocTags(statement)).toEqual([]);
    }),
  );
});
