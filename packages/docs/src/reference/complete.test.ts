/** The promise of the reference: everything in a document is on a page. */
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { dialect, ownDescription, subschemas, type Operation } from "@trainyard/document";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import type { ReferencePage } from "./page.ts";
import { pagesOf } from "./pages.ts";
import { operationAddress, schemaAddress, serviceAddress } from "./addresses.ts";
import { pageText as twinOf } from "../build/page-text.ts";
import { prose } from "./prose.ts";
import { examplesIn } from "./schema-examples.ts";
import { services, type Service } from "./services.ts";

/** The visible text of HTML. */
function visibleText(html: string): string {
  const text = html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'");
  return text.replaceAll("&amp;", "&").replaceAll(/\s+/g, "");
}

const textOf = (markdown: string): string => visibleText(prose(markdown).text);

function* claimsOfText(node: JsonObject): Generator<string> {
  yield textOf(ownDescription(node));
  for (const { text } of dialect.rules.read(node)) yield textOf(text);
}

/** The texts that the page of a schema must show: everything in the schema, down to the names of other schemas. */
function* claims(schema: JsonObject): Generator<string> {
  const { properties } = schema;
  yield* claimsOfText(schema);
  for (const name of Object.keys(isObject(properties) ? properties : {})) yield name;
  for (const key of ["default", "const", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"]) {
    if (key in schema) yield JSON.stringify(schema[key]);
  }
  for (const key of ["pattern", "format", "x-basis"]) if (typeof schema[key] === "string") yield schema[key];
  if (Array.isArray(schema["enum"])) yield* schema["enum"].map((one) => JSON.stringify(one));
  if (typeof schema["$ref"] === "string") yield schema["$ref"].split("/").at(-1) ?? "";
  // Properties that must not be set together have a sentence of their own.
  for (const { keys, schema: inner } of subschemas(schema)) if (keys[0] !== "not") yield* claims(inner);
}

/** Created once for all tests. */
const drawnPages = new Map(
  services().map((service) => [
    service.name,
    new Map([...pagesOf(service)].map(([address, draw]) => [address, draw()])),
  ]),
);
const pagesDrawn = ({ name }: Service) => drawnPages.get(name) ?? new Map<string, ReferencePage>();

function pageText(service: Service, address: string): string {
  const page = pagesDrawn(service).get(address);
  if (page === undefined) throw new Error(`There is no page ${address}.`);
  return textIn(page);
}

const textIn = ({ heading, intro, request, rest }: ReferencePage): string =>
  `${heading} ${intro.text} ${request === false ? "" : request.text} ${rest.text}`;

const missing = (text: string, all: Iterable<string>): string[] =>
  [...all].filter((one) => !text.includes(one.replaceAll(/\s+/g, "")));

function* claimsOf(operation: Operation): Generator<string> {
  yield* claimsOfText(operation.node);
  yield operation.summary;
  yield operation.path;
  for (const { name, description, schema } of operation.parameters) {
    yield name;
    yield textOf(description);
    yield* claims(schema.node);
  }
  for (const response of operation.responses.values()) {
    yield response.status;
    yield textOf(response.description);
    for (const [name, header] of response.headers) {
      yield name;
      yield textOf(header.description);
      yield* claims(header.schema.node);
    }
    for (const { mediaType, examples } of response.content.values()) {
      if (!/^[45]/.test(response.status)) yield mediaType;
      for (const value of examples.values()) yield* typeof value === "string" ? [value] : leaves(value);
    }
  }
  for (const { mediaType, examples } of operation.body?.content.values() ?? []) {
    yield mediaType;
    for (const value of examples.values()) yield* leaves(value);
  }
}

function leaves(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [JSON.stringify(value)];
  return Object.entries(value).flatMap(([key, one]) => [...(Array.isArray(value) ? [] : [key]), ...leaves(one)]);
}

describe.each(services())("the reference of $name", (service) => {
  const { operations, schemas } = service.document;

  it("shows everything about each schema on its page", () => {
    for (const [name, { node }] of schemas) {
      const text = visibleText(pageText(service, schemaAddress(service, name)));
      expect({ name, missing: missing(text, claims(node)) }).toEqual({ name, missing: [] });
    }
    expect(schemas.size).toBeGreaterThan(5);
  });

  it("shows everything about each operation on its page", () => {
    // An alias is on the page of its operation.
    for (const operation of operations.filter(({ aliasOf }) => aliasOf === undefined)) {
      const text = visibleText(pageText(service, operationAddress(service, operation)));
      expect({ id: operation.id, missing: missing(text, claimsOf(operation)) }).toEqual({
        id: operation.id,
        missing: [],
      });
    }
  });

  it("shows each credential on its overview", () => {
    const text = visibleText(pageText(service, serviceAddress(service)));
    const all = operations.flatMap(({ security }) => security.flat());
    expect(
      missing(
        text,
        all.flatMap(({ name, node }) => [name, textOf(String(node["description"]))]),
      ),
    ).toEqual([]);
  });

  it("has an example on the page of each schema, which is valid", () => {
    const ajv = formats.default(new Ajv2020({ strict: false, logger: false }));
    ajv.addSchema(service.document.root, "document");
    const examples = examplesIn(service.document);
    expect([...schemas.keys()].filter((name) => !examples.has(name))).toEqual([]);
    for (const [name, { pointer }] of schemas)
      expect({ name, isValid: ajv.validate({ $ref: `document${pointer}` }, examples.get(name)) }).toEqual({
        name,
        isValid: true,
      });
  });

  it("has an id for each field", () => {
    for (const page of pagesDrawn(service).values()) {
      const ids = [...textIn(page).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id ?? "");
      for (const field of Object.keys(Object(schemas.get(page.heading)?.node["properties"])))
        expect(ids).toContain(`${page.heading}.${field}`);
    }
  });

  it("has no two addresses that differ only in case", () => {
    const all = [...pagesOf(service).keys()].map((address) => address.toLowerCase());
    expect(new Set(all).size).toBe(all.length);
  });

  it("has twins that are short and name each field", async () => {
    for (const [address, page] of pagesDrawn(service)) {
      const { heading } = page;
      const html = `<div class="sl-markdown-content">${textIn(page)}</div>`;
      const { markdown } = await twinOf(html, `${address.slice(1, -1)}.md`);
      // The lists of the console's control interface accept many conditions.
      const most = service.name === "local" ? 15_000 : 12_000;
      expect({ address, isShort: markdown.length <= most }).toEqual({ address, isShort: true });
      const fields = Object.keys(Object(schemas.get(heading)?.node["properties"]));
      expect({ address, missing: missing(markdown, fields) }).toEqual({ address, missing: [] });
    }
  });
});
