import { beforeAll, expect, it } from "vitest";
import { atlasBundle, library, refusal } from "../test/library.ts";
import { discriminatorFaults } from "./closed-types.ts";
import { formatProblem, type OpenApiDocument, type Schema } from "@trainyard/document/files";
import { schemaNameFaults } from "./name-faults.ts";
import { judge, readService } from "./read-service.ts";

let atlas: OpenApiDocument;
beforeAll(async () => {
  atlas = await atlasBundle();
});

function withSchemas(schemas: Record<string, Schema>): OpenApiDocument {
  return { ...atlas, components: { ...atlas.components, schemas: { ...atlas.components?.schemas, ...schemas } } };
}

it("finds no fault in the library, and nothing to derive", () => {
  expect(judge("atlas", atlas)).toMatchObject({ faults: [], derived: [] });
});

it("reports a fault with file, line and cure", async () => {
  const root = library({
    "openapi/atlas/paths/hours-get.yaml": (text) => text.replace("hours.get", "maps.sheets"),
    "openapi/atlas/schemas/LineFeature.yaml": (text) => text.replace("const: line", "const: lines"),
  });
  const problems = await refusal(readService(root, "atlas"));
  expect(problems.map(formatProblem).join("\n\n")).toBe(
    "openapi/atlas/paths/hours-get.yaml:6:1\n" +
      "  maps.sheets is also a group of methods.\n" +
      "  Rename one of them: a group cannot also be a method.\n\n" +
      "openapi/atlas/schemas/LineFeature.yaml:6:3\n" +
      '  Feature reads a kind "line" as LineFeature, which does not require that value.\n' +
      "  Write `kind: {type: string, const: line}` in LineFeature, and list it as required.",
  );
});

it("reports an operationId of two operations at both", async () => {
  const root = library({
    "openapi/atlas/paths/maps-create.yaml": (text) =>
      text.replace(/create_map\w+/, "opening_hours_v1_opening_hours_get"),
  });
  const message =
    "2 operations have the operationId opening_hours_v1_opening_hours_get: POST /v1/maps, GET /v1/opening-hours.";
  await expect(readService(root, "atlas")).rejects.toMatchObject({
    problems: [
      { file: "openapi/atlas/paths/maps-create.yaml", line: 6, message },
      { file: "openapi/atlas/paths/hours-get.yaml", line: 3, message },
    ],
  });
});

it.each([
  ["NotFoundError", /name of an export of @trainyard\/core/],
  ["ApiPromise", /name of an export of @trainyard\/core/],
  ["MapsMethods", /same name as the type of the methods maps\.\*/],
  ["MapsListQuery", /same name as the type of the query of maps\.list/],
  ["AtlasClient", /same name as the type of the client/],
  ["Promise", /name of a type of TypeScript itself/],
  ["2D", /has to begin with a capital/],
  ["map-page", /has to begin with a capital/],
])("rejects a schema named %s", (name, message) => {
  const document = withSchemas({ [name]: { type: "object" } });
  expect(schemaNameFaults(document, judge("atlas", document).renamed)).toEqual([
    expect.objectContaining({ pointer: ["components", "schemas", name], message: expect.stringMatching(message) }),
  ]);
});

it("rejects two groups of methods with the same type name", () => {
  const get = { ...atlas.paths["/v1/opening-hours"]?.get, operationId: "other", "x-client-method": "mapsSheets.get" };
  const { faults } = judge("atlas", { ...atlas, paths: { ...atlas.paths, "/v1/other": { get } } });
  expect(faults.map(({ message }) => message)).toEqual([
    "The methods mapsSheets.* would have the type MapsSheetsMethods, like the methods maps.sheets.*.",
  ]);
});

it.each<[string, Record<string, Schema>, RegExp]>([
  [
    "a mapping that lacks a branch",
    { Feature: { discriminator: { propertyName: "kind", mapping: {} } } },
    /lacks PointFeature/,
  ],
  ["a branch without a name", { Feature: { oneOf: [{ type: "object" }] } }, /lacks a branch/],
  ["a branch where the property is optional", { LineFeature: { required: ["points"] } }, /does not require that value/],
  [
    "a branch with another value",
    { LineFeature: { properties: { kind: { const: "lines" } } } },
    /does not require that/,
  ],
])("rejects %s", (_, changes, message) => {
  const schemas = Object.entries(changes).map(
    ([name, change]) => [name, { ...atlas.components?.schemas?.[name], ...change }] as const,
  );
  const faults = discriminatorFaults(withSchemas(Object.fromEntries(schemas)));
  expect(faults[0]?.message).toMatch(message);
});
