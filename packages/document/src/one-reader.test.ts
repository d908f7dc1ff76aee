import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { extensions } from "./dialect.ts";

// Only this package reads a document, and only a key's row contains the name of an `x-` key. The lists below are the
// exceptions: most of them name the location of an error, or a type. An entry that is no longer needed fails the test, so
// the lists only get shorter.

const packages = join(import.meta.dirname, "../..");
const files = globSync("*/src/**/*.ts", { cwd: packages })
  .map((file) => file.replaceAll("\\", "/"))
  // Scaffolds write documents, Redocly passes the nodes to its visitors, and a witness shares no reader with what it judges.
  .filter(
    (file) =>
      !/^(document|contract\/src\/new|codegen\/src\/lint|proofs\/src\/agreement)\/|\/generated\/|\.test(-d)?\.ts$|\.cases\.ts$/.test(
        file,
      ),
  )
  .toSorted();

/** The code of a file, without its comments. */
function codeOf(file: string): string {
  return readFileSync(join(packages, file), "utf8").replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
}

function filesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(codeOf(file)));
}

it("no other package reads the paths and components of a document", () => {
  const listed = [
    "codegen/src/closed-types.ts",
    "codegen/src/left-out.ts",
    "codegen/src/method-tree.ts",
    "codegen/src/name-faults.ts",
    "codegen/src/operations-table.ts",
    "codegen/src/schema-types.ts",
    "codegen/src/schemes.ts",
    "contract/src/compare/service.ts",
    "contract/src/uses/field.ts",
    "mock/src/services.ts",
    "server/src/http/service-types.ts",
    "testing/src/judge.ts",
  ];
  expect(filesWith(/["'`]#\/(paths|components)["'`]|\["(paths|components)"\]|["'](paths|components)["'],/)).toEqual(
    listed,
  );
});

it("no other package contains the name of a key of the dialect", () => {
  const keys = [...extensions.keys()].join("|");
  const listed = [
    "codegen/src/method-tree.ts",
    "codegen/src/name-faults.ts",
    "contract/src/compare/operation.ts",
    "contract/src/compare/paths.ts",
    "contract/src/location.ts",
    "contract/src/witness/probes.ts",
  ];
  expect(filesWith(new RegExp(`["'](${keys})["']`))).toEqual(listed);
});

it("no other package walks the schemas inside a schema, but for a reason", () => {
  const reasons = {
    "codegen/src/closed-types.ts": "writes types",
    "codegen/src/directions.ts": "writes types",
    "codegen/src/doc-comment.ts": "comments on the variants of a written type",
    "codegen/src/operation-media.ts": "what all answers of an operation require",
    "codegen/src/plain-schemas.ts": "writes types",
    "codegen/src/schema-types.ts": "writes types",
    "contract/src/location.ts": "names a place by its pointer",
    "docs/src/reference/keywords.ts": "the text of each keyword",
    "docs/src/reference/label.ts": "names the variants in the order of the page",
    "host/src/sampler.ts": "counts the places of a tuple",
    "live/src/verify/schema-visitor.ts": "keeps which member of a union a value was meant for",
    "proofs/src/strangers/program.ts": "an independent witness",
    "testing/src/arbitrary.ts": "an independent witness",
    "testing/src/mutations.ts": "an independent witness",
  };
  const exempt = /^(core\/src\/validation|contract\/src\/compare)\/|\/fixtures\//;
  const found = filesWith(/\b(allOf|anyOf|oneOf|prefixItems)\b/).filter((file) => !exempt.test(file));
  expect(found).toEqual(Object.keys(reasons));
});
