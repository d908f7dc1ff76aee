import { join } from "node:path";
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

it("names a proposal as one that may change, and no other source", () => {
  const rule = (basis: string) => ({ id: basis, basis, text: `It is ${basis}.` });
  const described = { description: "Its size.\n\nIt is proposed. (proposed)", "x-rules": [rule("proposed")] };
  expect(textOf(described)).toBe("Its size.\n\nIt is proposed. (proposed, may change)");
  expect(textOf({ description: "Its size.", "x-rules": [rule("adopted")] })).toBe("Its size.\n\nIt is adopted.");
  const foreign = { description: "A law. (adopted)" };
  expect(textOf(foreign)).toBe(foreign.description);
});

const program = `
import { createTrainingClient } from "@trainyard/training";
import { mockService } from "@trainyard/mock";
const { models } = createTrainingClient();
await models.log("id", { split: "val", trajectory_groups: [] });
const mock = mockService("training");
mock.once("models.create", { status: 429 });
mock.on("models.log", () => undefined);
`;

/** An editor with the program. It shows the signature of a name, and the text of its doc comment. */
function openEditor(): (place: string) => { signature: string; text: string } {
  const file = join(import.meta.dirname, "../../samples/hover.ts");
  const service = ts.createLanguageService({
    ...ts.createCompilerHost({}),
    writeFile: ts.sys.writeFile,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const text = name === file ? program : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCompilationSettings: () => ({
      strict: true,
      module: ts.ModuleKind.NodeNext,
      customConditions: ["@trainyard/source"],
      allowImportingTsExtensions: true,
      noEmit: true,
    }),
  });
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
  return (place) => {
    const { displayParts, documentation } = service.getQuickInfoAtPosition(file, program.indexOf(place) + 1) ?? {};
    return { signature: ts.displayPartsToString(displayParts), text: ts.displayPartsToString(documentation) };
  };
}

it("is short in an editor, and names what checks the open result of Log", { tags: ["long"] }, () => {
  const hover = openEditor();
  expect(hover(".log(").signature).toContain("ApiPromise<unknown>");
  expect(hover(".log(").text).toContain("`isLogResult`");
  expect(hover(".log(").text).not.toContain("(adopted)");
  expect(hover(".once(").signature).toContain('once<"models.create", 429, false>(operation: "models.create"');
  for (const { signature, text } of [hover(".once("), hover(".on(")]) {
    expect(signature.length).toBeLessThan(300);
    expect(signature).not.toContain("\n");
    expect(text.length).toBeLessThan(350);
  }
});
