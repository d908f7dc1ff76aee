import { beforeAll, expect, it } from "vitest";
import { atlasBundle } from "../test/library.ts";
import { judge } from "./read-service.ts";
import { schemaTypes } from "./schema-types.ts";

let source = "";
beforeAll(async () => {
  const { document, operations } = judge("atlas", await atlasBundle()).service;
  source = await schemaTypes(document, operations);
});

/** The source of a type's declaration, with its comment. */
function declaration(name: string): string {
  const declared = new RegExp(
    `(?:/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?(?:export )?(?:interface ${name} \\{[^]*?\\n\\}|type ${name} = [^]*?;\\n(?=\\n|$))`,
  );
  return declared.exec(source)?.[0].trimEnd() ?? "";
}

it("gives each schema a name, a description, and tags for proposals and deprecations", () => {
  expect(declaration("Map")).toBe(
    `/**
 * A map of the library.
 * @beta
 */
export interface Map {
  /** Unique in the library. */
  id: string;
  /** The name on the cover. */
  name: string;
  /** The numbers of its sheets. */
  sheets: number[];
  /** When it was printed. */
  printed_at?: string | null;
  /** @deprecated Replaced by the library itself. */
  keeper?: string;
  "call-number"?: string;
}`,
  );
});

it("makes properties with a default optional, and documents the default", () => {
  expect(declaration("NewMap")).toContain("   * @default false\n   */\n  public?: boolean;");
  expect(declaration("NewMap")).toContain("  /** @default [] */\n  scales?:");
});

it("closes objects, except free ones and maps", () => {
  expect(declaration("Map")).not.toContain("[key: string]");
  expect(declaration("Pin")).not.toContain("[key: string]");
  expect(declaration("NewMap")).toContain("notes?: {\n    [key: string]: unknown;\n  };");
  expect(declaration("NewMap")).toContain("weights?: {\n    [key: string]: number | null;\n  };");
  expect(declaration("OpeningHours")).toMatch(
    /^[^]*export type OpeningHours = \{\n {2}note: string;\n\} & \{\n {2}\[key: string\]: number \| null;\n\};$/,
  );
});

it("keeps discriminator values, and forbids them in the object beside the kinds", () => {
  expect(declaration("Feature")).toContain("export type Feature = PointFeature | LineFeature;");
  expect(declaration("LineFeature")).toContain('  kind: "line";');
  expect(declaration("Pin")).toContain("  kind?: never;");
  expect(declaration("FeatureOrPin")).toContain("export type FeatureOrPin = Feature | Pin;");
});

it("makes arrays in requests readonly", () => {
  expect(declaration("Drawing")).toContain("items: readonly FeatureOrPin[];");
  expect(declaration("NewMap")).toContain("scales?: readonly (readonly number[])[];");
  expect(declaration("NewMap")).toContain("tags?: readonly string[] | null;");
  expect(declaration("MapsListQuery")).toContain("themes?: readonly string[];");
  expect(declaration("Label")).toContain("lines: readonly string[];");
});

it("keeps arrays mutable in responses, and in kinds that are also sent", () => {
  expect(declaration("MapPage")).toContain("data: Map[];");
  expect(declaration("Drawn")).toContain("pins: Pin[];");
  expect(declaration("Pin")).toContain("features: Feature[];");
  expect(declaration("LineFeature")).toContain("points: number[][];");
});

it("names inline bodies, answers and queries", () => {
  expect(declaration("MapsDeleteBody")).toBe("export interface MapsDeleteBody {\n  sheets: readonly number[];\n}");
  expect(declaration("MapsDeleteResult")).toBe("export interface MapsDeleteResult {\n  removed: number[];\n}");
  expect(declaration("MapsListQuery")).toContain(
    "   * How many items a page holds.\n   * @default 20\n   */\n  limit?: number;",
  );
  expect(source).toContain("query?: MapsListQuery;");
  expect(source).toContain("query: MapsSheetsGetQuery;");
});

it("uses those names in paths, keeps an untyped answer unknown, and makes headers with a client option optional", () => {
  expect(source).toContain('"application/json": MapPage;');
  expect(source).toContain('"application/json": unknown;');
  expect(source).toContain('"Library-Reader"?: string;');
  expect(source).not.toContain('components["schemas"]');
});

it("exports only types, each name once", () => {
  const names = [...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain("operations");
  expect(source).not.toMatch(/^export (?:const|function|class|default)|\bany\b/m);
});

it("accepts shared responses that no operation uses", async () => {
  const document = structuredClone(await atlasBundle());
  const headers = { "x-request-id": { $ref: "#/components/headers/RequestId" } };
  Object.assign(document.components ?? {}, {
    responses: { ...document.components?.["responses"], Gone: { description: "Gone.", headers } },
    headers: { RequestId: { schema: { type: "string" } } },
  });
  const service = judge("atlas", document).service;
  await expect(schemaTypes(service.document, service.operations)).resolves.toBe(source);
});

it("reads `true` and `false` as schemas, wherever one can be", async () => {
  const document = structuredClone(await atlasBundle());
  const schemas: Record<string, object | boolean> = Object(document.components?.schemas);
  schemas["Anything"] = true;
  schemas["Booleans"] = {
    type: "object",
    properties: {
      any: true,
      none: false,
      items: { type: "array", items: true },
      pair: { type: "array", prefixItems: [{ type: "string" }, true], items: false },
      either: { anyOf: [{ type: "string" }, false] },
      both: { allOf: [true, { $ref: "#/components/schemas/Pin" }] },
      map: { type: "object", additionalProperties: false },
      named: { $ref: "#/components/schemas/Anything" },
    },
    required: ["any"],
  };
  const { document: judged, operations } = judge("atlas", document).service;
  source = await schemaTypes(judged, operations);
  expect(declaration("Anything")).toBe("export type Anything = unknown;");
  expect(declaration("Booleans")).toBe(`export interface Booleans {
  any: unknown;
  none?: never;
  items?: unknown[];
  pair?: [
    string?,
    unknown?
  ];
  either?: string | never;
  both?: Pin;
  map?: Record<string, unknown>;
  named?: Anything;
}`);
});

it.each<[schema: object, type: string]>([
  [{ $ref: "#/components/schemas/Loose", required: ["a"] }, "{ a: string; } & Loose"],
  [{ allOf: [{ $ref: "#/components/schemas/Loose" }, { required: ["a"] }] }, "Loose & { a: string; }"],
  [{ allOf: [{ $ref: "#/components/schemas/Loose" }], required: ["parts"] }, "{ parts: {} | null; } & Loose"],
  [{ allOf: [{ type: "object", properties: { a: {} } }, { required: ["a"] }] }, "{ a?: unknown; } & { a: {} | null; }"],
  [{ type: "object", required: ["a"], properties: { b: { type: "number" } } }, "{ b?: number; a: unknown; }"],
  [
    { type: "object", properties: { b: { type: "number" } }, anyOf: [{ required: ["b"] }, { minProperties: 2 }] },
    "{ b?: number; }",
  ],
  [
    { type: "object", properties: { b: true }, oneOf: [{ required: ["b"] }, { required: ["c"] }] },
    "{ b?: unknown; } & ({ b: {} | null; } | { c: unknown; })",
  ],
  [{ type: ["object", "null"], allOf: [{ $ref: "#/components/schemas/Loose" }] }, "Loose"],
  [{ type: "object", allOf: [{ $ref: "#/components/schemas/Maybe" }] }, "{} & Maybe"],
  [{ allOf: [{ $ref: "#/components/schemas/Maybe" }, { required: ["a"] }] }, "Maybe & ({ a: string; } | null)"],
  [{ type: "string", anyOf: [{ const: "x" }, { const: "y" }] }, '"x" | "y"'],
  [{ $ref: "#/components/schemas/Kind", const: "k" }, '"k"'],
  [{ type: ["string", "null"], enum: ["x", "y"] }, '"x" | "y"'],
  [{ const: null }, "null"],
  [{ allOf: [{ $ref: "#/components/schemas/Kind" }, { $ref: "#/components/schemas/Loose" }] }, "never"],
  [{ type: "array", prefixItems: [{ type: "string" }], minItems: 1 }, "[ string ]"],
  [
    { type: "array", prefixItems: [{ type: "string" }, true], items: { type: "number" }, minItems: 1 },
    "[ string, unknown?, ...number[] ]",
  ],
])("writes the type that validators check: %j", async (schema, type) => {
  const document = structuredClone(await atlasBundle());
  Object.assign(document.components?.schemas ?? {}, {
    Loose: { type: "object", properties: { a: { type: "string" }, parts: { type: "array" } } },
    Maybe: { type: ["object", "null"], properties: { a: { type: "string" } } },
    Kind: { type: "string", enum: ["k", "l"] },
    Tried: schema,
  });
  const { document: judged, operations } = judge("atlas", document).service;
  source = await schemaTypes(judged, operations);
  const written = declaration("Tried").replaceAll(/\s+/g, " ");
  expect(written.replace(/^export (?:type Tried = |interface Tried )/, "").replace(/;$/, "")).toBe(type);
});

it("names the parts of a document that are no components, also those that only such parts refer to", async () => {
  const document: object = structuredClone(await atlasBundle());
  const node = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/definitions/leaf" } } } };
  const leaf = { type: "object", properties: { up: { $ref: "#/definitions/node" } } };
  Object.assign(Object(document).components.schemas, { Tried: { $ref: "#/definitions/node" } });
  Object.assign(document, { definitions: { node, leaf } });
  const { document: judged, operations } = judge("atlas", Object(document)).service;
  source = await schemaTypes(judged, operations);
  expect(declaration("Tried")).toBe("export type Tried = DefinitionsNode;");
  expect(declaration("DefinitionsNode")).toContain("kids?: DefinitionsLeaf[];");
  expect(declaration("DefinitionsLeaf")).toContain("up?: DefinitionsNode;");
});

it("accepts values of another library's types where an option says so, and says that the service rejects them", async () => {
  const { document, operations } = judge("atlas", await atlasBundle()).service;
  const text = await schemaTypes(document, operations, {
    typesAccept: { "LineFeature.width": ["broad"], "No.such": [] },
  });
  expect(text).toContain('  width?: "thin" | "thick" | "broad";\n');
  expect(text).toContain("The type also accepts `broad`");
});
