import * as fc from "fast-check";
import { expect, it } from "vitest";
import { canonical, compare } from "./canonical.ts";
import type { OpenApiDocument } from "./document.ts";

const document: OpenApiDocument = {
  openapi: "3.1.0",
  info: { title: "Atlas", version: "1.0.0", description: "Maps." },
  paths: {
    "/z": { get: { operationId: "z", "x-resend": "always", responses: { "200": { description: "Z." } } } },
    "/a": {
      get: {
        operationId: "a",
        tags: ["b", "a"],
        responses: { "404": { description: "?" }, "200": { description: "A." } },
      },
    },
  },
  components: {
    schemas: {
      Pin: {
        type: "object",
        description: "A pin.",
        required: ["type", "description"],
        // Properties with the names of keywords, in a significant order.
        properties: {
          type: { type: "string" },
          description: { type: "string", default: { z: 1, a: [2] } },
          const: { const: { z: 1, a: 2 } },
        },
      },
      Map: { type: "object", additionalProperties: true },
    },
    securitySchemes: { apiKey: { type: "http", scheme: "bearer" } },
    responses: { NotFound: { description: "Gone." }, Conflict: { description: "Taken." } },
  },
};

const maps = new Set(["paths", "properties", "responses"]);

/** The same document with its keywords and components in another order; names and data do not change. */
function shuffled<T>(value: T, random: () => number, inMap?: boolean): T;
function shuffled(value: unknown, random: () => number, inMap = false): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => {
    const data = !inMap && (key === "default" || key === "const");
    return [key, data ? member : shuffled(member, random, !inMap && maps.has(key))] as const;
  });
  const keyed = entries.map((entry) => ({ entry, by: inMap ? 0 : random() }));
  return Object.fromEntries(keyed.toSorted((a, b) => a.by - b.by).map(({ entry }) => entry));
}

it("does not depend on the order of keywords and components", () => {
  const expected = JSON.stringify(canonical(document));
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (numbers) => {
      const other = shuffled(document, () => Number(numbers.next().value));
      expect(JSON.stringify(canonical(other))).toBe(expected);
    }),
  );
});

it("keeps the order of names, lists and data", () => {
  const { paths, components } = canonical(document);
  expect(Object.keys(paths)).toEqual(["/z", "/a"]);
  expect(Object.keys(Object(paths["/a"]?.get?.["responses"]))).toEqual(["200", "404"]);
  expect(paths["/a"]?.get?.tags).toEqual(["b", "a"]);
  const pin = components?.schemas?.["Pin"];
  expect(Object.keys(pin?.properties ?? {})).toEqual(["type", "description", "const"]);
  expect(JSON.stringify(pin?.properties?.["description"]?.default)).toBe('{"z":1,"a":[2]}');
  expect(JSON.stringify(pin?.properties?.["const"]?.const)).toBe('{"z":1,"a":2}');
});

it("sorts for readers: the description before the type, the properties after it, components by name", () => {
  const { components, ...rest } = canonical(document);
  expect(Object.keys(rest)).toEqual(["openapi", "info", "paths"]);
  expect(Object.keys(components?.schemas ?? {})).toEqual(["Map", "Pin"]);
  expect(Object.keys(components?.schemas?.["Pin"] ?? {})).toEqual(["description", "type", "required", "properties"]);
});

it("compares by code unit, in every locale", () => {
  expect(["ä", "b", "a", "B"].toSorted(compare)).toEqual(["B", "a", "b", "ä"]);
});
