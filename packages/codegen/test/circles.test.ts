import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { generated, library, refusal, type Edits } from "./library.ts";
import { generate } from "../src/generate.ts";
import type { Problem } from "@trainyard/document/files";

const schemas = "openapi/atlas/schemas";

/** The problems of the library with other texts of some schemas. Nothing may be written. */
async function problemsOf(texts: Record<string, string | ((text: string) => string)>): Promise<readonly Problem[]> {
  const edits = Object.entries(texts).map(([name, text]) => [
    `${schemas}/${name}.yaml`,
    typeof text === "string" ? () => text : text,
  ]);
  const root = library(Object.fromEntries(edits) as Edits);
  const problems = await refusal(generate(root));
  expect(existsSync(generated(root))).toBe(false);
  return problems;
}

it.each<[string, Record<string, string | ((text: string) => string)>, object[]]>([
  [
    "itself by allOf",
    { Label: "description: A label.\nallOf:\n  - type: object\n  - { $ref: ./Label.yaml }\n" },
    [
      {
        file: `${schemas}/Label.yaml`,
        line: 4,
        message: "Label contains itself: Label → Label. No value can be validated.",
      },
    ],
  ],
  [
    "another by oneOf that contains it by allOf",
    {
      Label: "description: A label.\noneOf:\n  - allOf:\n      - { $ref: ./Drawn.yaml }\n",
      Drawn: "description: Drawn.\nallOf:\n  - { $ref: ./Label.yaml }\n",
    },
    [{ file: `${schemas}/Drawn.yaml`, line: 3, message: expect.stringContaining("Drawn → Label → Drawn.") }],
  ],
])("refuses a schema that contains %s, at the reference", async (_, texts, expected) => {
  expect(await problemsOf(texts)).toEqual(
    expected.map((one) => expect.objectContaining({ ...one, cure: expect.stringContaining("`properties`") })),
  );
});

it("accepts a schema that contains itself below a property", async () => {
  const text = "description: A label.\nallOf:\n  - type: object\n    properties: { next: { $ref: ./Label.yaml } }\n";
  const root = library({ [`${schemas}/Label.yaml`]: () => text });
  await expect(generate(root)).resolves.toBeDefined();
});

it.each<[string, Record<string, string>]>([
  ["one file", { Label: "$ref: ./Label.yaml\n" }],
  ["two files", { Label: "description: A label.\n$ref: ./Pin.yaml\n", Pin: "$ref: ./Label.yaml\n" }],
  [
    "three files and a place inside one",
    {
      Drawn: '$ref: "./Label.yaml#/$defs/one"\n',
      Label: "$defs:\n  one: { $ref: ./Pin.yaml }\n",
      Pin: "$ref: ./Drawn.yaml\n",
    },
  ],
])("names the files of a circle of references: %s", async (_, texts) => {
  const files = Object.keys(texts).map((name) => `${schemas}/${name}.yaml`);
  const [problem, ...others] = await problemsOf(texts);
  expect(others).toEqual([]);
  expect(files).toContain(problem?.file);
  expect(problem?.line).toBeDefined();
  for (const file of files) expect(problem?.message).toContain(file);
  expect(problem?.cure).not.toMatch(/indentation/);
});
