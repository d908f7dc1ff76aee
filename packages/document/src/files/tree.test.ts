import { expect, it } from "vitest";
import { reach } from "./tree.ts";

it("finds every referenced file, in every form of YAML, in circles, and missing ones", () => {
  const tree = new Map([
    ["openapi/a/openapi.yaml", "paths:\n  /x: { get: {$ref: paths/x.yaml} }\n"],
    ["openapi/a/paths/x.yaml", '$ref: "../../common/schemas/One.yaml#/properties/x"\nother: [$ref:\n  ../gone.yaml]\n'],
    ["openapi/common/schemas/One.yaml", "oneOf:\n  - $ref: One.yaml\n  - $ref: './Two.yaml'\n"],
    ["openapi/b/openapi.yaml", "$ref: ../common/schemas/Three.yaml"],
  ]);
  expect([...reach(tree, "a")].toSorted()).toEqual([
    "openapi/a/gone.yaml",
    "openapi/a/openapi.yaml",
    "openapi/a/paths/x.yaml",
    "openapi/common/schemas/One.yaml",
    "openapi/common/schemas/Two.yaml",
  ]);
});
