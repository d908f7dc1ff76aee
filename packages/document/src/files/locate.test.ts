import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Locator } from "./locate.ts";

it("finds the places of JSON where the parser of YAML finds them", () => {
  const root = mkdtempSync(join(tmpdir(), "trainyard-locate-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const document = {
    paths: {
      '/a"b\\': { $ref: "#/components/pathItems/A" },
      "/c": { additionalOperations: { COPY: { tags: [1, {}] } } },
    },
    components: {
      schemas: { S: { properties: { $ref: { type: "string" } } } },
      pathItems: { A: { get: { summary: 'Say "}".', responses: [[], { x: null }, -1.5e3, true] } } },
    },
  };
  const text = JSON.stringify(document, undefined, 2);
  writeFileSync(join(root, "a.json"), text);
  writeFileSync(join(root, "b.yaml"), `# A comment, so that this is no JSON.\n${text}`);
  const locator = new Locator(root);
  const pointers = [
    "paths",
    'paths,/a"b\\',
    'paths,/a"b\\,get,summary',
    'paths,/a"b\\,get,responses,1,x',
    'paths,/a"b\\,get,responses,3',
    "paths,/c,COPY,tags,1",
    "paths,/c,gone,tags",
    "components,schemas,S,properties,$ref,type",
    "components,pathItems,A,get,responses,7",
  ];
  const places = (file: string) =>
    pointers.flatMap((pointer) =>
      (["definition", "reference"] as const).map((end) => locator.locate(file, pointer.split(","), end)),
    );
  const found = places("a.json");
  expect(new Set(found.map(({ line }) => line)).size).toBeGreaterThan(6);
  expect(places("b.yaml")).toEqual(found.map(({ line = 0, column }) => ({ file: "b.yaml", line: line + 1, column })));
});
