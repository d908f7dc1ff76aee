import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Edits, library } from "../../test/library.ts";
import { type Complaint, diagnose, lint } from "./lint.ts";

/** The problems that Redocly's strict rules find in the library with a style guide. */
async function faults(edits: Edits): Promise<unknown> {
  const root = library(edits);
  const off = [
    "info-license",
    "no-server-example.com",
    "tag-description",
    "security-defined",
    "operation-4xx-response",
    "no-path-trailing-slash",
  ];
  const rules = off.map((rule) => `  ${rule}: off\n`).join("");
  writeFileSync(
    join(root, "redocly.yaml"),
    `telemetry: off\nextends: [minimal]\nplugins: [${join(import.meta.dirname, "plugin.ts")}]\nrules:\n${rules}  struct: error\n  no-unresolved-refs: error\n  trainyard/extensions: error\n  trainyard/required-properties: error\n  trainyard/resend: error\n`,
  );
  return lint(root, ["atlas"]);
}

const map = "openapi/atlas/schemas/Map.yaml";

it.each<[string, Edits, object[]]>([
  [
    "invalid YAML, at its line and alone, even with several references to it",
    { [map]: (text) => text.replace("sheets: {", "sheets: [").replace("x-basis", "xbasis") },
    [{ file: map, line: 8, message: expect.stringMatching(/^Not valid YAML: /) }],
  ],
  [
    "a root that is not YAML",
    { "openapi/atlas/openapi.yaml": (text) => text.replace("security:", "security: [}") },
    [{ file: "openapi/atlas/openapi.yaml", line: 15, message: expect.stringMatching(/^Not valid YAML: /) }],
  ],
  [
    "a schema that nothing refers to, by its name",
    { "openapi/atlas/schemas/Lost.yaml": () => "type: object\nx-basis: proposed\n" },
    [{ file: "openapi/atlas/schemas/Lost.yaml", message: expect.stringMatching(/^Nothing refers to this schema/) }],
  ],
  [
    "`nullable`, with what version 3.1 has",
    { [map]: (text) => text.replace("  name:", "  title: { type: string, nullable: true }\n  name:") },
    [{ file: map, cure: expect.stringContaining('`type: [string, "null"]`') }],
  ],
  ["an empty file, at the file", { [map]: () => "" }, [{ file: map, line: 1, message: "The file is empty." }]],
  [
    "a file of comments only, beside another fault",
    { [map]: () => "# To do\n", "openapi/atlas/paths/maps-create.yaml": (text) => text.replace("x-resend", "x-resnd") },
    [{ file: map, line: 1, message: "The file is empty." }],
  ],
  [
    "an empty root",
    { "openapi/atlas/openapi.yaml": () => "" },
    [{ file: "openapi/atlas/openapi.yaml", line: 1, message: "The file is empty." }],
  ],
  [
    "conflict markers, at the first",
    {
      [map]: (text) =>
        text.replace("  name:", "<<<<<<< HEAD\n  name:").replace("  sheets:", "=======\n>>>>>>> other\n  sheets:"),
    },
    [
      {
        file: map,
        line: 7,
        message: expect.stringContaining("conflict markers"),
        cure: expect.stringContaining("<<<<<<<"),
      },
    ],
  ],
  [
    "a circle of references, with its files",
    { [map]: () => "$ref: ./Map.yaml\n" },
    [{ file: map, line: 1, message: expect.stringContaining(`${map} → ${map}`) }],
  ],
  [
    "a $ref to a missing file, with a suggestion",
    { "openapi/atlas/schemas/MapPage.yaml": (text) => text.replace("Map.yaml", "Mop.yaml") },
    [{ line: 6, cure: expect.stringMatching(/^Did you mean openapi\/atlas\/schemas\/Map\.yaml\?/) }],
  ],
  [
    "a $ref into another folder",
    { "openapi/atlas/schemas/MapPage.yaml": (text) => text.replace("Map.yaml", "../Map.yaml") },
    [{ line: 6, cure: expect.stringMatching(/^Did you mean openapi\/atlas\/schemas\/Map\.yaml\?/) }],
  ],
  [
    "an unknown keyword, with a suggestion",
    { [map]: (text) => text.replace("additionalProperties", "additionalPropertes") },
    [{ file: map, line: 12, cure: "Write additionalProperties instead." }],
  ],
  [
    "an unknown key, with a suggestion",
    { "openapi/atlas/paths/maps-create.yaml": (text) => text.replace("x-resend", "x-resnd") },
    [{ file: "openapi/atlas/paths/maps-create.yaml", line: 10, cure: "Did you mean `x-resend`?" }],
  ],
  [
    "a condition that names no property, with a suggestion",
    {
      "openapi/atlas/paths/maps-create.yaml": (text) =>
        text.replace("x-resend: with-key", "x-resend:\n  rule: with-key\n  always-if: { pubic: true }"),
    },
    [{ file: "openapi/atlas/paths/maps-create.yaml", line: 12, cure: "Did you mean `public`?" }],
  ],
  [
    "two rules with one id, with both places",
    { [map]: (text) => `${text}x-rules:\n${"  - { id: one, basis: adopted, text: A rule. }\n".repeat(2)}` },
    [{ file: map, line: 15, message: expect.stringContaining(`id of its own. The other is at ${map}:14.`) }],
  ],
  [
    "a required property that is not declared, with a suggestion",
    { [map]: (text) => text.replace("[id, name", "[id, nane") },
    [{ file: map, line: 4, cure: "Did you mean `name`?" }],
  ],
])("reports %s", async (_, edits, expected) => {
  expect(await faults(edits)).toMatchObject(expected);
});

it("reports more problems than Redocly shows by default", async () => {
  const keys = Array.from({ length: 120 }, (_, index) => `x-foreign-${index}: 1\n`).join("");
  expect(await faults({ [map]: (text) => text + keys })).toHaveLength(120);
});

const complaint = (line: number, parts: Partial<Complaint> = {}): Complaint => ({
  rule: "trainyard/basis",
  message: "It says where it comes from.",
  suggestions: [],
  file: `openapi/a/schemas/${line}.yaml`,
  line,
  column: 1,
  ...parts,
});

it("reports a schema that contains itself, at which a rule broke off", async () => {
  const text =
    "Something went wrong when processing openapi/atlas/openapi.yaml:\n\n  - Maximum call stack size exceeded\n";
  const root = library({ [map]: (before) => `${before}allOf: [{ $ref: ./Map.yaml }]\n` });
  expect(await lint(root, ["atlas"], async () => ({ code: 1, text }))).toEqual([
    expect.objectContaining({ file: map, line: 13, message: expect.stringContaining("Map contains itself") }),
  ]);
});

it("reports a problem with many locations once, with some of them", () => {
  const all = Array.from({ length: 500 }, (_, index) => complaint(index + 1));
  expect(diagnose(all, import.meta.dirname)).toEqual([
    {
      file: "openapi/a/schemas/1.yaml",
      line: 1,
      column: 1,
      message:
        "It says where it comes from. The same at openapi/a/schemas/2.yaml:2, openapi/a/schemas/3.yaml:3 and 497 more.",
      cure: "See the rule trainyard/basis in redocly.yaml.",
    },
  ]);
});

it("says what to write for an unknown tag, and for a parameter of a path", () => {
  const root = library({ "openapi/atlas/paths/maps-create.yaml": (text) => text.replace("[maps]", "[mops]") });
  const at = { file: "openapi/atlas/paths/maps-create.yaml", line: 7, column: 8, suggestions: [] };
  const message = "The operation does not define the path parameter `{map_id}` expected by path `/maps/{map_id}`.";
  const complaints = [
    { rule: "operation-tag-defined", message: "Operation tags should be defined in global tags.", ...at },
    { rule: "path-parameters-defined", message, ...at },
  ];
  expect(diagnose(complaints, root).map(({ cure }) => cure)).toEqual([
    expect.stringMatching(/^Did you mean maps\? The tags of openapi\/atlas\/openapi\.yaml are maps, guide\./),
    "Add to its `parameters`: `- { name: map_id, in: path, required: true, schema: { type: string } }`.",
  ]);
});
