import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DerivedFact } from "@trainyard/document";
import { expect, it } from "vitest";
import { atlasBundle, library, refusal } from "./library.ts";
import { bundle, bundleText, sourceOf } from "@trainyard/document/files";

const problemsOf = (root: string) => refusal(bundle(root, sourceOf("atlas")));

it("names components after their files, in order, and keeps `x-` keys", async () => {
  const { components, paths } = await atlasBundle();
  expect(Object.keys(components?.schemas ?? {}).slice(0, 5)).toEqual([
    "Answer",
    "AnswerChunk",
    "DetailError",
    "Drawing",
    "Drawn",
  ]);
  expect(Object.keys(components?.responses ?? {})).toContain("Unauthorized");
  expect(paths["/v1/maps"]?.get?.["x-client-method"]).toBe("maps.list");
  expect(components?.schemas?.["Map"]?.additionalProperties).toBe(true);
  expect(components?.schemas?.["NewMap"]?.properties?.["door_code"]?.["x-sensitive"]).toBe(true);
});

it("does not depend on the folder of a schema", async () => {
  const there = (text: string): string =>
    text.replace(/(?:\.\.\/schemas\/)?\bMap\.yaml/, "../../common/schemas/Map.yaml");
  const root = library({
    "openapi/atlas/schemas/MapPage.yaml": there,
    "openapi/atlas/paths/maps-create.yaml": there,
  });
  renameSync(join(root, "openapi/atlas/schemas/Map.yaml"), join(root, "openapi/common/schemas/Map.yaml"));
  expect(bundleText(await bundle(root, sourceOf("atlas")))).toBe(bundleText(await atlasBundle()));
});

it("locates a $ref to a file that does not exist", async () => {
  const root = library({ "openapi/atlas/schemas/MapPage.yaml": (text) => text.replace("Map.yaml", "Mop.yaml") });
  expect(await problemsOf(root)).toEqual([
    {
      file: "openapi/atlas/schemas/MapPage.yaml",
      line: 6,
      column: 31,
      message: "The $ref names a file that does not exist: openapi/atlas/schemas/Mop.yaml.",
      cure: "Did you mean openapi/atlas/schemas/Map.yaml? Create openapi/atlas/schemas/Mop.yaml, or correct the name in this $ref, which is relative to its own file.",
    },
  ]);
});

it.each([
  ["a $ref without its target", "{ $ref: ./Nothing.yaml }"],
  ["an invalid schema", "{ type: txt }"],
])("counts every fault beyond a hundred: %s", async (_, schema) => {
  const properties = Array.from({ length: 120 }, (_, index) => `  fault_${index}: ${schema}\n`).join("");
  const root = library({
    "openapi/atlas/schemas/Map.yaml": (text) => text.replace("properties:\n", `properties:\n${properties}`),
  });
  expect(await problemsOf(root)).toHaveLength(120);
});

it("locates invalid YAML, once", async () => {
  const root = library({ "openapi/atlas/schemas/Map.yaml": (text) => text.replace("sheets: {", "sheets: [") });
  const problems = await problemsOf(root);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ file: "openapi/atlas/schemas/Map.yaml", line: 8 });
  expect(problems[0]?.message).toMatch(/^Not valid YAML: /);
  expect(problems[0]?.cure).toMatch(/indentation, brackets and quotes/);
});

it("locates a key that OpenAPI does not have, and suggests the right one", async () => {
  const root = library({
    "openapi/atlas/paths/hours-get.yaml": (text) => text.replace("operationId:", "operationID:"),
  });
  expect(await problemsOf(root)).toEqual([
    {
      file: "openapi/atlas/paths/hours-get.yaml",
      line: 3,
      column: 1,
      message: "Property `operationID` is not expected here.",
      cure: "Write operationId instead.",
    },
  ]);
});

it("names two files that would become one component after their folders, too", async () => {
  const root = library({
    "openapi/common/schemas/DetailError.yaml": (text) => text.replace("{ type: string }", "{ $ref: Label.yaml }"),
  });
  writeFileSync(join(root, "openapi/common/schemas/Label.yaml"), "type: string\n");
  const derived: DerivedFact[] = [];
  const { components } = await bundle(root, "openapi/atlas/openapi.yaml", { derived });
  const reasons = ["component from folder and file, because two files would both be Label"];
  expect(derived).toEqual([
    { name: "AtlasSchemasLabel", place: "openapi/atlas/schemas/Label.yaml", reasons },
    { name: "CommonSchemasLabel", place: "openapi/common/schemas/Label.yaml", reasons },
  ]);
  expect(components?.schemas).toMatchObject({
    CommonSchemasLabel: { type: "string" },
    DetailError: { properties: { detail: { $ref: "#/components/schemas/CommonSchemasLabel" } } },
  });
  expect(JSON.stringify(components)).not.toMatch(/Label-2|schemas\/Label/);
});

it("rejects YAML that is not OpenAPI", async () => {
  const root = library({ "openapi/atlas/openapi.yaml": () => "maps: 3\n" });
  const [problem] = await problemsOf(root);
  expect(problem?.file).toBe("openapi/atlas/openapi.yaml");
});
