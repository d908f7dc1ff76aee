import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { extensions } from "./dialect.ts";

// What a document says is read here, and what an `x-` key is called stands in its row. Others that do it still are listed below:
// the lists only grow shorter.

const packages = join(import.meta.dirname, "../..");
const files = globSync("*/src/**/*.ts", { cwd: packages })
  .map((file) => file.replaceAll("\\", "/"))
  // Scaffolds write documents, and Redocly's visitors are given what they look at.
  .filter(
    (file) =>
      !/^document\/|\/generated\/|\.test(-d)?\.ts$|\.cases\.ts$|^contract\/src\/new\/|^redocly-plugin\//.test(file),
  )
  .toSorted();

/** The code of a file, without its comments. */
function codeOf(file: string): string {
  return readFileSync(join(packages, file), "utf8").replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** The files in which something stands that may stand in those alone that are listed. */
function othersWith(pattern: RegExp, listed: readonly string[]): string[] {
  return files.filter((file) => !listed.includes(file) && pattern.test(codeOf(file)));
}

it("nobody else walks the paths and the components of a document", () => {
  const listed = [
    "codegen/src/bundle.ts",
    "codegen/src/client-writer.ts",
    "codegen/src/closed-types.ts",
    "codegen/src/method-tree.ts",
    "codegen/src/name-faults.ts",
    "codegen/src/operations-table.ts",
    "codegen/src/schema-types.ts",
    "codegen/src/schemes.ts",
    "codegen/src/type-test-writer.ts",
    "contract/src/compare/service.ts",
    "release/src/workflows/rules/references.ts",
    "server/src/http/service-types.ts",
    "testing/src/judge.ts",
    "uses/src/field.ts",
  ];
  expect(
    othersWith(/["'`]#\/(paths|components)["'`]|\["(paths|components)"\]|["'](paths|components)["'],/, listed),
  ).toEqual([]);
});

it("nobody else names a key of the dialect", () => {
  const keys = [...extensions.keys()].join("|");
  const listed = [
    "codegen/src/method-tree.ts",
    "codegen/src/name-faults.ts",
    "contract/src/compare/operation.ts",
    "contract/src/compare/paths.ts",
    "contract/src/compare/view.ts",
    "contract/src/deprecation.ts",
    "contract/src/place.ts",
    "contract/src/witness/probes.ts",
    "dev/src/editor/objects.ts",
    "docs/src/reference/decorate.ts",
    "docs/src/reference/document.ts",
  ];
  expect(othersWith(new RegExp(`["'](${keys})["']`), listed)).toEqual([]);
});
