/** A document is data: nothing that it says becomes code of the client. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { array, assert, asyncProperty, constantFrom, oneof, string } from "fast-check";
import ts from "typescript";
import { expect, it, onTestFinished } from "vitest";
import { generateClient } from "./generate-client.ts";

/** A document with a text in each place of prose and value, and a name in each place of names. */
function documentOf(text: string, name: string): object {
  const described = { description: text };
  const schema = { ...described, title: text, type: "string", default: text, enum: [text, "b"], examples: [text] };
  const named = Object.fromEntries([
    [name, schema],
    ["kind", { ...described, const: text }],
  ]);
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" }, example: text } };
  const parameter = (place: string) => ({ ...described, in: place, name, schema, example: text });
  return {
    openapi: "3.1.0",
    info: { title: text, version: text, ...described },
    servers: [{ url: "https://pets.test", ...described }],
    tags: [{ name: "pets", ...described }],
    security: [{ token: [] }],
    paths: {
      "/pets/{id}": {
        put: {
          ...described,
          tags: ["pets"],
          operationId: "write",
          summary: text,
          deprecated: true,
          parameters: [
            { ...described, in: "path", name: "id", required: true, schema },
            parameter("query"),
            {
              ...parameter("query"),
              name: `${name}2`,
              style: "deepObject",
              schema: { type: "object", properties: named },
            },
            parameter("cookie"),
          ],
          requestBody: {
            ...described,
            required: true,
            content: {
              ...content,
              "multipart/form-data": {
                schema: { type: "object", properties: named },
                encoding: Object.fromEntries([[name, { contentType: "text/plain" }]]),
              },
            },
          },
          responses: { 200: { ...described, content }, 404: { ...described, content } },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", ...described } },
      schemas: {
        Pet: {
          ...described,
          type: "object",
          required: [name],
          properties: named,
          dependentRequired: Object.fromEntries([[name, ["kind"]]]),
        },
      },
    },
  };
}

async function generated(document: object): Promise<ReadonlyMap<string, string>> {
  const root = mkdtempSync(join(tmpdir(), "trainyard-data-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "pets.json"), JSON.stringify(document));
  await generateClient("pets.json", { root, out: "pets", validators: "all", strict: true });
  return new Map(
    ["index.ts", "schema.ts", "validators.ts"].map((file) => [file, readFileSync(join(root, "pets", file), "utf8")]),
  );
}

const isName = (node: ts.Node): boolean =>
  ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isNumericLiteral(node) || ts.isComputedPropertyName(node);

/** The kinds of all nodes of a file. Names and texts count as equal. */
function structureOf(file: string, text: string): unknown {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const { diagnostics } = ts.transpileModule(text, { fileName: file, reportDiagnostics: true });
  const enter = (node: ts.Node): unknown => {
    if (isName(node)) return "name";
    const children: unknown[] = [];
    ts.forEachChild(node, (child) => void children.push(enter(child)));
    return [ts.SyntaxKind[node.kind], ...children];
  };
  // A validator has code for each character that a pattern or a name needs, so its statements alone are compared.
  const depth = file === "validators.ts" ? source.statements.map(({ kind }) => ts.SyntaxKind[kind]) : enter(source);
  return { diagnostics: diagnostics?.map(({ messageText }) => messageText), depth };
}

const structures = (files: ReadonlyMap<string, string>): unknown =>
  [...files].map(([file, text]) => structureOf(file, text));

const pieces = constantFrom(
  ..."*/ /* // /** ` ${ } \" ' \\ \n \r \u2028 \u2029 evil(); ;evil() <!-- --> </script> $& $1 $` @ts-ignore {@link #! ]] \u0000 \ud800".split(
    " ",
  ),
  'components["schemas"]["Pet"]',
  "\nexport const isPet=evil();\n",
  "\n*/\nevil();\n/*",
);
const texts = oneof(
  array(pieces, { minLength: 1, maxLength: 6 }).map((all) => all.join("")),
  string({ minLength: 1 }),
);

it("writes the same code whatever the texts and the names in a document are", { tags: ["long"] }, async () => {
  const plain = structures(await generated(documentOf("text", "name")));
  const names = oneof(texts, constantFrom("__proto__", "constructor", "toString", "then", "*/", "a b", "1", "class"));
  // openapi-typescript reads a name that contains `#/` as a reference, and cannot decode every `%` of one.
  const readable = names.filter((name) => !/#\/[^]*%/.test(name));
  await assert(
    asyncProperty(texts, readable, async (text, name) => {
      expect(structures(await generated(documentOf(text, name)))).toEqual(plain);
    }),
    { numRuns: 60 },
  );
});
