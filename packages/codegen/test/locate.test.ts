import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { library, original } from "./library.ts";
import { Locator, sourceOf } from "@trainyard/document/files";

const root = "openapi/atlas";
const locator = new Locator(original);

it.each<[string[], string, number, number]>([
  [["info", "title"], "openapi.yaml", 5, 3],
  [["paths", "/v1/maps", "post"], "paths/maps-create.yaml", 1, 1],
  [["paths", "/v1/maps", "post", "x-resend"], "paths/maps-create.yaml", 10, 1],
  [["paths", "/v1/maps", "get", "parameters", "0", "schema"], "paths/maps-list.yaml", 13, 5],
  [["components", "schemas", "Map", "properties", "name"], "schemas/Map.yaml", 7, 3],
  // For a missing value, the nearest existing parent.
  [["paths", "/v1/maps", "post", "x-nothing", "here"], "paths/maps-create.yaml", 1, 1],
  [["components", "schemas", "Map", "properties", "nothing"], "schemas/Map.yaml", 5, 1],
])("%j is at %s:%i:%i", (pointer, file, line, column) => {
  expect(locator.locate(sourceOf("atlas"), pointer)).toEqual({ file: `${root}/${file}`, line, column });
});

it("finds shared components", () => {
  const location = locator.locate(sourceOf("atlas"), ["components", "responses", "Unauthorized", "content"]);
  expect(location).toEqual({ file: "openapi/common/responses/Unauthorized.yaml", line: 5, column: 1 });
});

it("returns the service's document for an unknown component", () => {
  expect(locator.locate(sourceOf("atlas"), ["components", "schemas", "Nothing"])).toMatchObject({
    file: `${root}/openapi.yaml`,
  });
});

it("reads each file once, and anew for another report", () => {
  const folder = library();
  const [first, pointer] = [new Locator(folder), ["paths", "/v1/maps", "post"]];
  const found = first.locate(sourceOf("atlas"), pointer);
  rmSync(join(folder, root), { recursive: true });
  expect(first.locate(sourceOf("atlas"), pointer)).toEqual(found);
  expect(new Locator(folder).locate(sourceOf("atlas"), pointer)).toEqual({ file: `${root}/openapi.yaml` });
});
