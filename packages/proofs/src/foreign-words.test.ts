/** Our keys in a document that does not use the dialect: for every tool, it is the document without them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateClient } from "@trainyard/codegen/generate-client";
import { readFile } from "@trainyard/document/files";
import { checkFiles } from "@trainyard/contract/files";
import { dialect, extensions, readDocument } from "@trainyard/document";
import { mockService } from "@trainyard/mock";
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";

type Words = Readonly<Record<string, unknown>>;

/** A document of somebody else, with words on every object. Its names and its data look like words, too, and stay. */
function strange(words: Words): object {
  const content = { "application/json": { ...words, schema: { $ref: "#/components/schemas/Pet", ...words } } };
  const responses = {
    ...words,
    200: { ...words, description: "Pets.", headers: { "x-safe": { ...words, schema: {} } }, content },
    default: { ...words, description: "A fault.", content },
  };
  const parameters = [{ ...words, name: "kind", in: "query", schema: { type: "string", enum: ["cat"], ...words } }];
  const list = { ...words, operationId: "list_pets", tags: ["pets"], parameters, responses };
  const requestBody = { ...words, content };
  const add = { ...words, operationId: "add_pet", tags: ["pets"], requestBody, responses };
  const kinds = { ...words, type: "array", items: { ...words, type: "string", enum: ["cat", "dog"] } };
  const data = { ...words, type: "object", default: { "x-timeout": 1 } };
  const union = {
    ...words,
    oneOf: [
      { ...words, type: "string" },
      { ...words, const: 1 },
    ],
  };
  const properties = { "x-timeout": { ...words, type: "number" }, kinds, data, union };
  return {
    ...words,
    openapi: "3.1.0",
    info: { ...words, title: "Pets", version: "1.0.0" },
    servers: [{ ...words, url: "https://pets.example" }],
    tags: [{ ...words, name: "pets" }],
    security: [{ token: [] }],
    paths: { ...words, "/pets": { ...words, get: list, post: add } },
    components: {
      ...words,
      schemas: { Pet: { ...words, type: "object", required: ["kinds"], properties } },
      securitySchemes: { token: { ...words, type: "http", scheme: "bearer" } },
    },
  };
}

const keys = [...extensions.keys()].filter((key) => key !== dialect.version.key);
const marks = ["x-since", "x-readonly", "x-unlisted", "x-blob", "x-never"];

/** A value for each key that would have an effect in a document of ours. */
const effective: Words = {
  ...Object.fromEntries([...keys, ...marks].map((key) => [key, true])),
  "x-basis": "proposed",
  "x-client-method": "a.b",
  "x-alias-of": "list_pets",
  "x-resend": "with-key",
  "x-timeout": 5,
  "x-pagination": { cursor: "kind", item: "x-timeout", more: "kinds" },
  "x-stream": { toggle: "data", end: "[DONE]", fold: "chat" },
  "x-client-option": "kind",
  "x-rules": [{ id: "pets-unique", basis: "proposed", text: "Pets are unique." }],
  "x-cure": "Ask again.",
  "x-invalid-status": 400,
};
const invalid: Words = { ...Object.fromEntries(keys.map((key) => [key, 3])), "x-timeout": "fast" };

const folder = mkdtempSync(join(tmpdir(), "trainyard-foreign-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pathOf = (name: string, words: Words): string => {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(strange(words)));
  return file;
};
const cases: [string, Words][] = [
  ["effective", effective],
  ["invalid", invalid],
];

it("reads them nowhere, whatever their values", () => {
  const plain = readDocument(strange({}));
  const words = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
  expect(plain.root).toEqual(strange({}));
  fc.assert(
    fc.property(words, (some) => {
      expect(readDocument(strange(some))).toEqual(plain);
    }),
  );
});

it.each(cases)("generates the same client, and prints no line: %s values", async (name, words) => {
  const client = async (some: Words) => {
    const report = await generateClient(pathOf("pets", some), { root: folder, out: "client" });
    const files = readdirSync(join(folder, "client"));
    const texts = files.map((file) => [file, readFileSync(join(folder, "client", file), "utf8")]);
    rmSync(join(folder, "client"), { recursive: true });
    return { report, texts };
  };
  expect(await client(words)).toEqual(await client({}));
  expect((await readFile(pathOf(name, words), { root: folder })).notes).toEqual([]);
});

it.each(cases)("finds no change between a document with them and one without: %s values", async (name, words) => {
  const notes: string[] = [];
  // The marks of the generator are no keys of the dialect: for the comparison they are keys of somebody.
  const own = Object.fromEntries(keys.map((key) => [key, words[key]]));
  const { services } = await checkFiles(pathOf("before", {}), pathOf(name, own), [], (note) => notes.push(note));
  expect([services.map(({ changes }) => changes), notes]).toEqual([[[]], []]);
});

it.each(cases)("serves the same: %s values", async (_, words) => {
  const answers = async (some: Words) => {
    const mock = mockService(strange(some));
    const headers = { authorization: "Bearer key", "x-request-id": "one", "content-type": "application/json" };
    const bodies = [undefined, { kinds: ["cat"] }, { kinds: ["cow"] }, { kinds: [], union: 2 }];
    return Promise.all(
      bodies.map(async (body) => {
        const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
        const response = await mock.handle(new Request("http://127.0.0.1/pets", init));
        return [response.status, await response.text()];
      }),
    );
  };
  expect(await answers(words)).toEqual(await answers({}));
});
