/** Schemas as other people write them: the host and the generated validators judge each alike. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { judge } from "@trainyard/codegen/read-service";
import { schemaTypes } from "@trainyard/codegen/schema-types";
import { validatorsModule } from "@trainyard/codegen/validators";
import { formatLoc, type Fault } from "@trainyard/core/validation";
import { readDocument, unsupportedIn } from "@trainyard/document";
import { validatorOf } from "@trainyard/host";
import { mockService } from "@trainyard/mock";
import { describe, expect, it, onTestFinished } from "vitest";

const object = (properties: unknown, more: object = {}) => ({ type: "object", properties, ...more });
const kind = (values: object, more: object = {}) =>
  object({ kind: values, x: { type: "integer" } }, { required: ["kind"], ...more });
const a = kind({ const: "a" });
const b = kind({ const: "b" });
const text = { type: "string" };
const needs = (name: string) => object({ kind: text, [name]: text }, { required: ["kind", name] });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const [refA, refB] = [reference("A"), reference("B")];
const discriminator = { propertyName: "kind" };
const own = (value: unknown): unknown => JSON.parse(`{ "__proto__": ${JSON.stringify(value)} }`);
const kinds = ["bar", "baz"].map((name) => ({ required: [name], properties: { [name]: true } }));

/** A value, and the places and types of its faults; none if it is valid. */
type Judged = readonly [value: unknown, ...faults: string[]];

/** A valid and an invalid value of each format that is judged. */
const formatted: Readonly<Record<string, readonly [valid: unknown, invalid: unknown]>> = {
  byte: ["YWJj", "a b"],
  date: ["2026-02-28", "2026-02-30"],
  "date-time": ["2026-02-28T10:00:00", "2026-02-28"],
  duration: ["P1DT2H", "1 day"],
  email: ["a@example.com", "a"],
  hostname: ["example.com", "a b"],
  int32: [2 ** 31 - 1, 2 ** 31],
  int64: [2 ** 31, 0.5],
  ipv4: ["127.0.0.1", "127.0.0.256"],
  ipv6: ["::1", "1"],
  "json-pointer": ["/a~0", "a"],
  regex: ["^a$", "("],
  "relative-json-pointer": ["1/a", "/a"],
  time: ["10:00:00Z", "24:00:00Z"],
  uri: ["https://example.com", "example"],
  "uri-reference": ["../a", "a b"],
  "uri-template": ["/{a}", "/{"],
  url: ["http://localhost", "localhost"],
  uuid: ["00000000-0000-4000-8000-000000000000", "1"],
};
const formatsOf = (at: 0 | 1) => Object.fromEntries(Object.entries(formatted).map(([name, pair]) => [name, pair[at]]));
const faultTypes = new Map([
  ["date-time", "datetime_parsing"],
  ["uuid", "uuid_parsing"],
]);

/** Schemas, of which `Test` judges the values. */
const cases: Readonly<Record<string, readonly [schemas: Record<string, unknown>, ...values: Judged[]]>> = {
  "anyOf with a discriminator": [
    { A: a, B: b, Test: { anyOf: [refA, refB], discriminator } },
    [{ kind: "a", x: 1 }],
    [{ kind: "a", x: "n" }, "x int_type"],
    [{ kind: "c" }, "kind union_tag_invalid"],
    [{}, "kind missing"],
  ],
  "anyOf with a discriminator that names schemas": [
    { A: needs("x"), B: needs("y"), Test: { anyOf: [refA, refB], discriminator } },
    [{ kind: "A", x: "1" }],
    [{ kind: "A", y: "1" }, "x missing"],
    [{ kind: "A" }, "x missing"],
    [{ kind: "B", y: 1 }, "y string_type"],
    [{ kind: "C" }, "kind union_tag_invalid"],
    ["text", " dict_type"],
  ],
  "oneOf with a mapping of one branch": [
    {
      A: needs("x"),
      B: { allOf: [needs("y")] },
      Test: { oneOf: [refA, refB], discriminator: { ...discriminator, mapping: { first: "#/components/schemas/A" } } },
    },
    [{ kind: "first", x: "1" }],
    [{ kind: "first", x: 1 }, "x string_type"],
    [{ kind: "B", y: "1" }],
    [{ kind: "B" }, "y missing"],
  ],
  "a mapping of names": [
    {
      A: needs("x"),
      B: needs("y"),
      Test: { oneOf: [refA, refB], discriminator: { ...discriminator, mapping: { a: "A", b: "B" } } },
    },
    [{ kind: "b", y: "1" }],
    [{ kind: "b" }, "y missing"],
  ],
  "a discriminator on a base": [
    { Base: { ...kind(text), discriminator }, Test: { allOf: [reference("Base"), { required: ["x"] }] } },
    // What extends a base is told by its name.
    [{ kind: "Test", x: 1 }],
    [{ kind: "Test", x: "n" }, "x int_type"],
    [{ kind: "a", x: 1 }, "kind enum"],
  ],
  "a discriminator beside inline branches": [
    { Test: { anyOf: [needs("x"), needs("y")], discriminator } },
    [{ kind: "x", x: "1" }],
    [{ kind: "x" }, " value_error"],
  ],
  "a recursive union by names": [
    {
      A: object({ kind: text, all: { type: "array", items: reference("Test") } }, { required: ["kind", "all"] }),
      B: needs("y"),
      Test: { anyOf: [refA, refB], discriminator },
    },
    [{ kind: "A", all: ["B", "A"].map((kind) => ({ kind, y: "1", all: [] })) }],
    [{ kind: "A", all: [{ kind: "B" }] }, "all[0].y missing"],
  ],
  "unevaluatedProperties beside anyOf": [
    { Test: object({ foo: true }, { anyOf: kinds, unevaluatedProperties: false }) },
    [{ foo: 1, bar: 1 }],
    [{ foo: 1, bar: 1, q: 1 }, "q extra_forbidden"],
  ],
  "unevaluatedProperties beside allOf": [
    { A: a, Test: { allOf: [refA], properties: { q: true }, unevaluatedProperties: false } },
    [{ kind: "a", q: 1 }],
    [{ kind: "a", z: 1 }, "z extra_forbidden"],
  ],
  unevaluatedItems: [
    { Test: { prefixItems: [text], anyOf: [{ prefixItems: [true, text] }, true], unevaluatedItems: false } },
    [["a", "b"]],
    [["a", "b", 1], " value_error"],
  ],
  "schemas that are boolean": [
    {
      No: false,
      Yes: true,
      Test: {
        type: "object",
        properties: { a: true, b: false, no: reference("No"), yes: reference("Yes"), list: { items: false } },
        patternProperties: { "^q": false },
        propertyNames: true,
        additionalProperties: true,
        allOf: [true],
        anyOf: [false, { type: "object" }],
        not: false,
        $defs: { none: false },
      },
    },
    [{ a: 1, yes: [], list: [], other: 1 }],
    [{ b: 1 }, "b extra_forbidden"],
    [{ no: 1 }, "no extra_forbidden"],
    [{ list: [1] }, "list[0] extra_forbidden"],
    [{ q: 1 }, "q extra_forbidden"],
  ],
  "nothing is valid": [{ Test: false }, [{}, " extra_forbidden"]],
  "no value is listed": [{ Test: object({ none: { enum: [] } }) }, [{}], [{ none: 1 }, "none extra_forbidden"]],
  "names that each object has": [
    { Test: object({ constructor: text, valueOf: { type: "integer" } }, { required: ["toString"] }) },
    [{ toString: 1 }],
    [{}, "toString missing"],
    [{ toString: 1, constructor: 1 }, "constructor string_type"],
    [{ toString: 1, valueOf: "1" }, "valueOf int_type"],
  ],
  "the name __proto__": [
    { Test: object(own(text), { required: ["__proto__"], additionalProperties: false }) },
    [own("a")],
    [{}, "__proto__ missing"],
    [own(1), "__proto__ string_type"],
  ],
  "the name __proto__, dependent": [
    { Test: { type: "object", dependentRequired: { constructor: ["toString"] } } },
    [{}],
    [{ constructor: 1 }, "toString missing"],
  ],
  "an anchor below $defs": [
    {
      A: { $defs: { p: object({ n: { type: "integer" } }, { $anchor: "p" }) } },
      Test: { $ref: "#/components/schemas/A/$defs/p", required: ["n"] },
    },
    [{ n: 1 }],
    [{ n: "x" }, "n int_type"],
    [{}, "n missing"],
  ],
  "$defs beside $ref": [
    {
      A: a,
      Test: {
        $ref: "#/components/schemas/A",
        $defs: { n: text },
        properties: { n: { $ref: "#/components/schemas/Test/$defs/n" } },
      },
    },
    [{ kind: "a", n: "1" }],
    [{ kind: "b" }, "kind literal_error"],
    [{ kind: "a", n: 1 }, "n string_type"],
  ],
  $dynamicRef: [
    {
      Test: object(
        { n: { type: "integer" }, next: { $dynamicRef: "#node" } },
        { $id: "https://example.com/tree", $dynamicAnchor: "node", required: ["n"] },
      ),
    },
    [{ n: 1, next: { n: 2 } }],
    [{ n: 1, next: { n: "x" } }, "next.n int_type"],
  ],
  "an unknown format": [
    { Test: object({ a: { ...text, format: "phone" }, b: { ...text, format: "phone" }, c: { format: "double" } }) },
    [{ a: "any", b: "", c: 1e300 }],
    [{ a: 1 }, "a string_type"],
  ],
  "the formats that are judged": [
    { Test: object(Object.fromEntries(Object.keys(formatted).map((format) => [format, { format }]))) },
    [formatsOf(0)],
    [formatsOf(1), ...Object.keys(formatted).map((name) => `${name} ${faultTypes.get(name) ?? "value_error"}`)],
  ],
  "keywords of other forms": [
    {
      Test: {
        id: "Test",
        nullable: true,
        type: "object",
        required: true,
        properties: {
          a: { type: "file" },
          b: { nullable: true, pattern: "(?P<x>a)" },
          c: { type: ["integer", "null"], nullable: false, exclusiveMinimum: true, minimum: 1 },
          d: { ...text, pattern: "^[\\d\\-]+\\:$" },
          e: { items: [text], minItems: "1" },
        },
      },
    },
    [{ a: 1, b: 2, c: null, d: "1-2:", e: [] }],
    [null],
    [{ c: 0 }, "c greater_than_equal"],
    [{ d: "x" }, "d value_error"],
  ],
};

function documentOf(schemas: Record<string, unknown>): object {
  const content = { "application/json": { schema: reference("Test") } };
  const responses = { 200: { description: "", content } };
  const get = { operationId: "get", "x-client-method": "tests.get", "x-resend": "always", responses };
  const info = { title: "Schemas", version: "1" };
  return { openapi: "3.1.0", "x-trainyard": 1, info, paths: { "/": { get } }, components: { schemas } };
}

const cache = join(import.meta.dirname, "../.cache");

/** The faults of a value by the generated validators. */
async function generated(root: object): Promise<(value: unknown) => Fault[]> {
  const { service, faults } = judge("schemas", Object(root));
  expect(faults).toEqual([]);
  await schemaTypes(service.document, service.operations);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "schemas-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "validators.js"), (await validatorsModule(service.document)).code);
  const { isTest } = await import(/* @vite-ignore */ pathToFileURL(join(folder, "validators.js")).href);
  return isTest.faults;
}

describe.each(Object.entries(cases))("%s", (_, [schemas, ...values]) => {
  const root = documentOf(schemas);
  const shown = (faults: readonly Fault[]) => faults.map(({ loc, type }) => `${formatLoc(loc)} ${type}`);
  const expected = values.map(([value, ...faults]) => [JSON.stringify(value), ...faults]);

  it("is judged by the host", () => {
    const { at } = validatorOf(root);
    const judged = values.map(([value]) => [JSON.stringify(value), ...shown(at("#/components/schemas/Test", value))]);
    expect(judged).toEqual(expected);
  });

  it("is judged by generated validators", async () => {
    const faultsOf = await generated(root);
    expect(values.map(([value]) => [JSON.stringify(value), ...shown(faultsOf(value))])).toEqual(expected);
  });

  it.skipIf(schemas["Test"] === false)("has a value that the mock makes", async () => {
    const response = await mockService(root).handle(new Request("http://mock.invalid/"));
    expect(validatorOf(root).at("#/components/schemas/Test", await response.json())).toEqual([]);
  });
});

it("says once per format how many places are not validated, and which keywords have another form", () => {
  const [formats, forms] = ["an unknown format", "keywords of other forms"].map((name) =>
    unsupportedIn(readDocument(documentOf(cases[name]?.[0] ?? {}))),
  );
  expect(formats?.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    '#/components/schemas/Test/properties/a/format `format: "phone"` is not validated (2 places).',
  ]);
  expect(forms?.map(({ pointer }) => pointer.replace(/.*Test\//, ""))).toEqual([
    "required",
    "properties/a/type",
    "properties/b/pattern",
    "properties/c/exclusiveMinimum",
    "properties/e/items",
    "properties/e/minItems",
  ]);
});

it("follows references into the schema of a body", async () => {
  const inline = object({ n: { type: "integer" } }, { required: ["n"] });
  const root = documentOf({
    Test: { $ref: "#/paths/~1n/get/responses/200/content/application~1json/schema/properties/n" },
  });
  const content = { "application/json": { schema: inline } };
  const get = { operationId: "n", "x-client-method": "tests.n", "x-resend": "always", responses: { 200: { content } } };
  Object.assign(Object(root).paths, { "/n": { get } });
  const faultsOf = await generated(root);
  expect([1, "1"].map((value) => faultsOf(value).length)).toEqual([0, 1]);
});

it("reads parameters and forms with names that each object has", async () => {
  const names = ["__proto__", "toString", "constructor"];
  const integer = { type: "integer" };
  const schema = object(Object.fromEntries(names.map((name) => [name, integer])), { required: names });
  const responses = { 204: { description: "" } };
  const given = (place: string) => names.map((name) => ({ in: place, name, required: true, schema: integer }));
  const content = { "application/x-www-form-urlencoded": { schema }, "multipart/form-data": { schema } };
  const paths = {
    "/path/{__proto__}/{toString}/{constructor}": { get: { parameters: given("path"), responses } },
    "/query": { get: { parameters: given("query"), responses } },
    "/deep": { get: { parameters: [{ in: "query", name: "f", style: "deepObject", schema }], responses } },
    "/header": { get: { parameters: given("header"), responses } },
    "/cookie": { get: { parameters: given("cookie"), responses } },
    "/form": { post: { requestBody: { content }, responses } },
  };
  const mock = mockService({ openapi: "3.1.0", "x-trainyard": 1, info: { title: "Names", version: "1" }, paths });
  const faults = async (path: string, init?: RequestInit): Promise<string[]> => {
    const response = await mock.handle(new Request(`http://mock.invalid${path}`, init));
    if (response.status === 204) return [];
    const { detail } = (await response.json()) as { detail: Fault[] };
    return detail.map(({ loc }) => String(loc.at(-1))).toSorted();
  };
  const sent = (value: string): [path: string, init?: RequestInit][] => {
    const text = names.map((name) => `${name}=${value}`).join("&");
    const form = new FormData();
    for (const name of names) form.append(name, value);
    return [
      [`/path/${value}/${value}/${value}`],
      [`/query?${text}`],
      [`/deep?${names.map((name) => `f[${name}]=${value}`).join("&")}`],
      ["/header", { headers: names.map((name) => [name, value]) }],
      ["/cookie", { headers: { cookie: text.replaceAll("&", "; ") } }],
      ["/form", { method: "POST", body: new URLSearchParams(text) }],
      ["/form", { method: "POST", body: form }],
    ];
  };
  for (const one of sent("1")) expect(await faults(...one)).toEqual([]);
  for (const path of ["/query", "/deep?f[x]=1", "/header", "/cookie"])
    expect(await faults(path)).toEqual(names.toSorted());
  for (const one of sent("x")) expect(await faults(...one)).toEqual(names.toSorted());
});
