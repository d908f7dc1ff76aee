/** Every code that a server of ours sends is a word of its document. */
import { isObject, resolvePointer } from "@trainyard/core/validation";
import { jsonOf, type Document } from "@trainyard/document";
import { hostCodes } from "@trainyard/host";
import { expect, it } from "vitest";
import { readContracts } from "../src/http/documents.ts";
import { send, sharedServer } from "./lib.ts";

const server = sharedServer({ limits: { bodyBytes: 2000, headerBytes: 1000 } });

/** The schemas of the codes in a document's errors. */
function codeSchemas({ root, operations }: Document): Set<unknown> {
  const below = (schema: unknown): unknown[] => {
    if (!isObject(schema)) return [];
    if (typeof schema["$ref"] === "string") return below(resolvePointer(root, schema["$ref"]));
    const properties = Object(schema["properties"]);
    const members = [schema["anyOf"], schema["oneOf"], schema["allOf"], properties.error].flat();
    return [properties.code ?? [], properties.error_type ?? [], ...members.map(below)].flat();
  };
  const errors = operations.flatMap(({ responses }) => [...responses].filter(([status]) => !/^[23]/.test(status)));
  return new Set(errors.flatMap(([, { content }]) => below(jsonOf(content)?.schema?.node)));
}

function codeOf(body: unknown): unknown {
  const { error, code, error_type: type } = Object(body);
  return error === undefined ? (code ?? type) : codeOf(error);
}

const withCodes = readContracts().flatMap(({ name, document }) => {
  const schemas = [...codeSchemas(document)].map((schema): Record<string, unknown> => Object(schema));
  return schemas.length > 0 ? [{ name, document, schemas }] : [];
});

it("finds the documents whose errors have codes", () => {
  expect(withCodes.map(({ name }) => name)).toEqual(expect.arrayContaining(["auxiliary", "inference"]));
});

it.each(withCodes)("$name declares the host's codes, in an enumeration that may grow", ({ schemas }) => {
  for (const schema of schemas) {
    expect(schema).toMatchObject({ "x-extensible": true, enum: expect.arrayContaining([...hostCodes]) });
  }
});

it.each(withCodes)("$name lists each code of its answers", async ({ name, document, schemas }) => {
  const listed = new Set(schemas.flatMap((schema) => schema["enum"]));
  const connection = server.connect(name);
  const known = document.operations.find(({ method, body }) => method === "POST" && body !== undefined);
  if (known === undefined) throw new Error(`${name} has no POST with a body.`);
  const { path } = known;
  const plan = (status: number) => server.fault({ operation: known.name, status, times: 1 });
  const sent: (readonly [status: number, ask: () => Promise<Response>])[] = [
    [404, () => send(connection, "/nothing")],
    [405, () => send(connection, path, { method: "PATCH" })],
    [431, () => send(connection, path, { body: "{}", headers: { "x-long": "x".repeat(1000) } })],
    [401, () => send({ ...connection, apiKey: "wrong" }, path, { body: "{}" })],
    [413, () => send(connection, path, { body: JSON.stringify("x".repeat(2000)) })],
    [415, () => send(connection, path, { body: "{}", headers: { "Content-Type": "text/css" } })],
    ...[409, 418, 429, 500, 502, 503].map((status) => {
      const ask = () => {
        plan(status);
        return send(connection, path, { body: "{}" });
      };
      return [status, ask] as const;
    }),
  ];
  for (const [status, ask] of sent) {
    const response = await ask();
    const code = codeOf(await response.json());
    expect([response.status, code, listed.has(code)]).toEqual([status, expect.any(String), true]);
  }
});
