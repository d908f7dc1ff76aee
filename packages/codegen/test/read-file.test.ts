import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { refusal } from "./library.ts";
import { readFile, type ReadOptions } from "@trainyard/document/files";

const head = "openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\n";

/** The files of a folder, of which a document is read in `api`. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-file-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const problemsOf = (folder: string, path: string, options: ReadOptions = {}) =>
  refusal(readFile(path, { root: folder, ...options }));

it.each<[string, string, number | undefined, string, string]>([
  ["Swagger 2.0", 'info: {}\nswagger: "2.0"\n', 2, "Swagger 2.0, which is not supported", "Convert it"],
  ["no OpenAPI", "name: pets\n", 1, "it has no `openapi`", "Name a file that begins with"],
  ["a list", "- pets\n", 1, "it is no object", "Name a file that begins with"],
  ["another version", "openapi: 4.0.0\n", 1, '`openapi` is "4.0.0"', "Write `openapi: 3.1.0`"],
  ["a version of two numbers", "openapi: 3.1\n", 1, "`openapi` is 3.1", "Write `openapi: 3.1.0`"],
  [
    "an unknown dialect",
    `${head}x-trainyard: 2\npaths: {}\n`,
    3,
    "is 2, and the only number that is known is 1",
    "Write `x-trainyard: 1`",
  ],
  ["no paths", head, undefined, "it has no paths", "and `paths`"],
  ["paths that are a list", `${head}paths: []\n`, 3, "it has no paths", "and `paths`"],
  ["no version", "openapi: 3.1.0\ninfo: { title: Pets }\npaths: {}\n", 2, "`info.version` is missing", "version:"],
  ["no title", "openapi: 3.1.0\ninfo:\n  title: 3\n  version: 1.0\n", 3, "`info.title` is missing", "title: Pets"],
  ["an empty file", "", 1, "The file is empty", "Name a file that begins with"],
  ["comments alone", "# Nothing\n\n", 1, "The file is empty", "Name a file that begins with"],
  ["broken YAML", `${head}paths: { /a: [ }\n`, 3, "Not valid YAML", "indentation, brackets"],
  ["broken JSON", '{\n  "openapi": "3.1.0"\n  "info": {}\n}', 3, "Not valid YAML", "brackets"],
  ["a key that is there twice", `${head}paths: {}\ninfo: {}\n`, 4, "the key info is there twice", "indentation"],
  ["an alias in itself", `${head}paths: &a { /a: *a }\n`, 1, "circular", "indentation"],
  [
    "a $ref that leads to itself",
    `${head}paths: {}\ncomponents:\n  schemas:\n    A: { $ref: "#/components/schemas/B" }\n    B: { $ref: "#/components/schemas/A" }\n`,
    6,
    "These $refs lead in a circle: pets.yaml#/components/schemas/A → pets.yaml#/components/schemas/B → pets.yaml#/components/schemas/A.",
    "Write the value itself",
  ],
  [
    "a schema that contains itself",
    `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      allOf: [{ $ref: "#/components/schemas/A" }]\n`,
    7,
    "A contains itself: A → A.",
    "Remove one of these references",
  ],
  [
    "a $ref to nothing",
    `${head}paths:\n  /a:\n    $ref: "#/components/pathItems/A"\n`,
    4,
    "leads to #/components/pathItems/A, which does not exist",
    "Correct it",
  ],
  ["a $ref that is badly encoded", `${head}paths: { /a: { $ref: "#/a%zz" } }\n`, 3, "leads to #/a%zz", "Correct it"],
])("refuses %s with its place and cure, once", async (_, text, line, message, cure) => {
  const problems = await problemsOf(folderOf({ "pets.yaml": text }), "pets.yaml");
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ file: "pets.yaml", ...(line !== undefined && { line }) });
  expect(problems[0]?.message).toContain(message);
  expect(problems[0]?.cure).toContain(cure);
});

it("refuses a file that does not exist, and a folder", async () => {
  const folder = folderOf({ "pets/cat.yaml": "" });
  expect(await problemsOf(folder, "cats.yaml")).toMatchObject([
    { file: "cats.yaml", message: "This file does not exist." },
  ]);
  expect(await problemsOf(folder, "pets")).toMatchObject([{ message: "This file cannot be read (EISDIR)." }]);
});

const pet = { type: "object", properties: { parent: { $ref: "#/components/schemas/Pet" } } };

it("reads JSON, YAML with anchors, recursive schemas, and names that objects have", async () => {
  const schemas = JSON.parse('{"Pet":0,"__proto__":{"type":"object","properties":{"__proto__":{"type":"string"}}}}');
  schemas.Pet = pet;
  const document = { openapi: "3.1.1", info: { title: "Pets", version: "1" }, paths: {}, components: { schemas } };
  const yaml = `${head}x-base: &base { type: object }\npaths: {}\ncomponents: { schemas: { A: { <<: *base, title: a } } }\n`;
  const root = folderOf({ "pets.json": `\uFEFF${JSON.stringify(document)}`, "pets.yaml": yaml });
  const read = await readFile("pets.json", { root });
  expect(read.notes).toEqual([]);
  expect(Object.keys(read.document.components?.schemas ?? {}).toSorted()).toEqual(["Pet", "__proto__"]);
  expect(JSON.stringify(read.document)).toContain(
    '"__proto__":{"type":"object","properties":{"__proto__":{"type":"string"}}}',
  );
  expect((await readFile(join(root, "pets.yaml"), { root })).document.components?.schemas).toEqual({
    A: { type: "object", title: "a" },
  });
});

/** A document whose only operation answers with the schema at a reference. */
const answering = (reference: string): string => `${head}paths:
  /pets:
    get:
      operationId: get
      responses:
        200: { description: A pet., content: { application/json: { schema: { $ref: "${reference}" } } } }
`;

it("reads a document of several files, in YAML and JSON, without its formal faults", async () => {
  const root = folderOf({
    "api/openapi.yaml": answering("schemas/pet.json#/Pet").replace("description: A pet.,", ""),
    "api/schemas/pet.json": JSON.stringify({ Pet: { type: "object", properties: { parent: { $ref: "#/Pet" } } } }),
  });
  expect((await readFile("api/openapi.yaml", { root })).document.components?.schemas).toEqual({ Pet: pet });
});

it("reads the example that is a file beside a document of one file, and leaves one that is elsewhere", async () => {
  const root = folderOf({
    "openapi.yaml": `openapi: 3.1.0
info: { title: One, version: "1" }
paths: {}
components:
  examples:
    A: { externalValue: ./order.json }
`,
    "absent.yaml": `openapi: 3.1.0
info: { title: One, version: "1" }
paths: {}
components:
  examples:
    A: { externalValue: ./none.json }
    B: { externalValue: "http://examples.invalid/b.json" }
`,
    "order.json": `{"id": "a"}`,
  });
  expect((await readFile("openapi.yaml", { root })).document.components?.examples).toEqual({
    A: { value: { id: "a" } },
  });
  expect(Object.keys((await readFile("absent.yaml", { root })).document.components?.examples ?? {})).toEqual([
    "A",
    "B",
  ]);
});

it("names each $ref that leads out of the folder, to an address, nowhere or in a circle", async () => {
  const folder = folderOf({
    "api/openapi.yaml": `${answering("../pet.yaml")}components:
  schemas:
    A: { $ref: /etc/passwd }
    B: { $ref: "https://schemas.invalid/b.yaml#/B" }
    C: { $ref: linked.yaml }
    D: { $ref: parts/dog.yaml }
    H: { $ref: "#nowhere" }
    E: { $ref: "a#b/../../pet.yaml" }
  examples:
    F: { externalValue: "http://schemas.invalid/f.json" }
    G: { value: { $ref: ../pet.yaml#/g } }
`,
    "api/parts/dog.yaml": "$ref: ../parts/hound.yaml\n",
    "api/parts/hound.yaml": "$ref: dog.yaml#\n",
    "pet.yaml": "type: object\n",
  });
  symlinkSync(join(folder, "pet.yaml"), join(folder, "api/linked.yaml"));
  const problems = await problemsOf(join(folder, "api"), "openapi.yaml");
  expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    "openapi.yaml:8 The $ref leads to ../pet.yaml, outside of the folder in which this command runs.",
    expect.stringMatching(/^openapi\.yaml:11 The \$ref leads to .*etc\/passwd, outside of the folder/),
    "openapi.yaml:12 The $ref leads to the address https://schemas.invalid/b.yaml.",
    "openapi.yaml:13 The $ref leads to linked.yaml, outside of the folder in which this command runs.",
    "openapi.yaml:15 The $ref leads to the anchor nowhere, and only pointers are followed.",
    "openapi.yaml:18 The $ref leads to the address http://schemas.invalid/f.json.",
    "parts/dog.yaml:1 These $refs lead in a circle: parts/dog.yaml → parts/hound.yaml → parts/dog.yaml.",
  ]);
  expect(problems[0]?.cure).toContain("`--allow ..`");
  expect(problems[2]?.cure).toContain("`--allow https://schemas.invalid/`");
});

it("suggests a file for a $ref to one that does not exist", async () => {
  const root = folderOf({ "openapi.yaml": answering("schemas/pets.yaml"), "schemas/pet.yaml": "type: object\n" });
  const [problem] = await problemsOf(root, "openapi.yaml");
  expect(problem).toMatchObject({ line: 8, message: "The $ref names a file that does not exist: schemas/pets.yaml." });
  expect(problem?.cure).toMatch(/^Did you mean schemas\/pet\.yaml\?/);
});

it("reads a folder and an address that are allowed, and no redirect", async () => {
  const server = createServer(({ url }, response) => {
    if (url === "/moved.yaml") response.writeHead(302, { location: "/schemas/pet.yaml" }).end();
    else response.writeHead(200, { "content-type": "application/yaml" }).end("type: object\ntitle: pet\n");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = `http://127.0.0.1:${Object(server.address()).port}`;
  const folder = folderOf({
    "api/near.yaml": answering("../schemas/Pet.yaml"),
    "api/far.yaml": answering(`${address}/schemas/Pet.yaml`),
    "api/moved.yaml": answering(`${address}/moved.yaml`),
    "schemas/Pet.yaml": "type: object\ntitle: pet\n",
  });
  const read = async (file: string, allow: string): Promise<unknown> =>
    (await readFile(file, { root: join(folder, "api"), allow: [allow] })).document.components?.schemas;
  const expected = { Pet: { title: "pet", type: "object" } };
  expect(await read("near.yaml", "../schemas")).toEqual(expected);
  expect(await read("far.yaml", `${address}/schemas`)).toEqual(expected);
  await expect(read("far.yaml", `${address}/schema`)).rejects.toThrow("leads to the address");
  await expect(read("moved.yaml", address)).rejects.toThrow(/moved\.yaml:8.*\n.*cannot be read/);
});

it("replaces halves of surrogate pairs, and keeps whole pairs and texts that look like them", async () => {
  const texts = ["\ud800", "a\udfff", "\u{1f600}", "\\ud800", "\\\ud800"];
  const whole = { openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths: {}, "x-texts": texts };
  const root = folderOf({ "pets.json": JSON.stringify(whole).replace("\u{1f600}", "\\ud83d\\ude00") });
  expect((await readFile("pets.json", { root })).document["x-texts"]).toEqual([
    "\ufffd",
    "a\ufffd",
    "\u{1f600}",
    "\\ud800",
    "\\\ufffd",
  ]);
});

it("leaves a $ref in an example and below an `x-` key alone", async () => {
  const text = `${head}paths: {}\ncomponents: { examples: { A: { value: { $ref: ../secret.yaml } } }, x-all: { a: { $ref: ../b.yaml } } }\n`;
  const root = folderOf({ "pets.yaml": text });
  expect((await readFile("pets.yaml", { root })).document.components).toEqual({
    examples: { A: { value: { $ref: "../secret.yaml" } } },
    "x-all": { a: { $ref: "../b.yaml" } },
  });
});

it("places each component in the file that it is named after", async () => {
  const answer = (name: string): string => `{ schema: { $ref: ${name}.yaml } }`;
  const content = `{ application/json: ${answer("pet")}, application/x+json: ${answer("toy")} }`;
  const get = `{ responses: { 200: { description: A pet., content: ${content} } } }`;
  const root = folderOf({
    "pets.yaml": `${head}paths: { /pets: { get: ${get} } }\n`,
    "pet.yaml": "type: object\n",
    "toy.yaml": "type: object\n",
  });
  const { locate } = await readFile("pets.yaml", { root });
  expect(["pet", "toy"].map((name) => locate(["components", "schemas", name, "type"]).file)).toEqual([
    "pet.yaml",
    "toy.yaml",
  ]);
});

it("upgrades a document of OpenAPI 3.0, and notes what that changes", async () => {
  const schemas =
    "{ A: { type: string, nullable: true, format: phone }, B: { $ref: '#/components/schemas/A', title: b } }";
  const text = `${head.replace("3.1.0", "3.0.3")}paths: {}\ncomponents: { schemas: ${schemas} }\n`;
  const { document, notes, details } = await readFile("pets.yaml", { root: folderOf({ "pets.yaml": text }) });
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1/),
    components: { schemas: { A: { type: ["string", "null"] } } },
  });
  expect(notes).toEqual([expect.stringMatching(/^pets\.yaml#\/components\/schemas\/B: `title` beside `\$ref`/)]);
  expect(details).toEqual([
    expect.stringMatching(
      /^pets\.yaml#\/components\/schemas\/A\/format: `format: "phone"` is not validated \(1 place\)/,
    ),
  ]);
});

it.each([
  ["YAML", "pets.yaml", "openapi: 3.1.0\ninfo: { title: Pets, version: 1.10 }\npaths: {}\n"],
  ["JSON", "pets.json", '{"openapi":"3.1.0","info":{"title":"Pets","version":1.10},"paths":{}}'],
  [
    "several files",
    "pets.yaml",
    "openapi: 3.1.0\ninfo: { title: Pets, version: 1.10 }\npaths: {}\ncomponents: { schemas: { A: { $ref: other.yaml } } }\n",
  ],
])("reads a version that is a number as it is written, in %s", async (_, file, text) => {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-version-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, "other.yaml"), "type: string\n");
  expect((await readFile(file, { root: folder })).document.info.version).toBe("1.10");
});
