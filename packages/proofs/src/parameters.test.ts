/** Generated clients and `trainyard call` write parameters and forms as the host reads them, whatever their style. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateClient } from "@trainyard/codegen/generate-client";
import { isObject } from "@trainyard/core/validation";
import { readDocument } from "@trainyard/document";
import { host, type Call } from "@trainyard/host";
import { requestOf, writeParameters } from "@trainyard/live";
import * as fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";

const cache = join(import.meta.dirname, "../.cache");
const [text, integer] = [{ type: "string" }, { type: "integer" }];
const list = (items: object) => ({ type: "array", items });
const object = (of: object) => ({ type: "object", additionalProperties: false, properties: { a: of, b: of } });
const shapes = {
  text,
  integer,
  texts: list(text),
  integers: list(integer),
  pair: object(text),
  numbers: object(integer),
};
type Shape = keyof typeof shapes;

const all = Object.keys(shapes) as Shape[];
const lists: Shape[] = ["texts", "integers"];
const objects: Shape[] = ["pair", "numbers"];
/** How a value is declared in each place, and the shapes that OpenAPI defines there. */
const queries: Readonly<Record<string, readonly [declared: object, shapes: readonly Shape[]]>> = {
  form: [{}, all],
  joined: [{ explode: false }, all],
  reserved: [{ allowReserved: true }, all],
  joinedReserved: [{ explode: false, allowReserved: true }, all],
  spaces: [{ style: "spaceDelimited", explode: false }, [...lists, ...objects]],
  pipes: [{ style: "pipeDelimited", explode: false }, [...lists, ...objects]],
  deep: [{ style: "deepObject" }, objects],
};
const ways = Object.entries(queries).flatMap(([style, [declared, some]]) =>
  some.flatMap((shape) =>
    (["query", "form"] as const).map((place) => ({ id: `${style}_${shape}_${place}`, declared, shape, place })),
  ),
);
/** What separates the items of a list cannot be in them if it is encoded there, too. */
const separators = [
  [/^spaces/, /[ +]/],
  [/^pipes/, /\|/],
  [/^joined.*form$/, /,/],
] as const;
const json = { id: "json_texts_query", declared: undefined, shape: "texts", place: "query" } as const;
const paths = Object.fromEntries(
  [...ways, json].map(({ id, declared, shape, place }) => {
    const schema = shapes[shape];
    const content = { "application/json": { schema } };
    const parameters =
      place === "form" ? [] : [{ name: "v", in: place, ...(declared ? { ...declared, schema } : { content }) }];
    const form = { schema: { type: "object", properties: { v: schema } }, encoding: { v: declared } };
    const requestBody = place === "form" ? { content: { "application/x-www-form-urlencoded": form } } : undefined;
    return [`/${id}`, { post: { operationId: id, parameters, requestBody, responses: { 200: { description: "" } } } }];
  }),
);
const info = { title: "Styles", version: "1" };
const root: object = JSON.parse(JSON.stringify({ openapi: "3.1.0", info, paths }));

const characters = "a , : / ? # [ ] @ ! $ & ' ( ) * + ; = % | é".split(" ").concat(" ");

/** Values of each shape, also without members, and with texts that are empty or have reserved characters. */
const valuesOf = (shape: Shape, taken: RegExp): fc.Arbitrary<unknown> => {
  const texts = fc.oneof(fc.constant(""), fc.string(), fc.string({ unit: fc.constantFrom(...characters) }));
  const isNumeric = ["integer", "integers", "numbers"].includes(shape);
  const one: fc.Arbitrary<unknown> = isNumeric ? fc.integer() : texts.filter((value) => !taken.test(value));
  if (lists.includes(shape)) return fc.array(one);
  return objects.includes(shape) ? fc.record({ a: one, b: one }, { requiredKeys: [] }) : one;
};
/** A list or an object without members is not sent. */
const isSent = (value: unknown) => !(Array.isArray(value) || isObject(value)) || Object.keys(value).length > 0;

it("write what the host reads, for each style and shape, and empty values", { tags: ["long"] }, async () => {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "styles-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "styles.json"), JSON.stringify(root));
  await generateClient("styles.json", { root: folder, out: "client", name: "styles" });
  const { createStylesClient } = await import(/* @vite-ignore */ join(folder, "client/index.ts"));
  let seen: unknown;
  const faults: string[] = [];
  const document = readDocument(root);
  const handler = ({ query, body }: Pick<Call, "query" | "body">) => {
    seen = "v" in query ? query["v"] : isObject(body) ? body["v"] : undefined;
    return { status: 200, body: undefined };
  };
  const handlers = Object.fromEntries(document.operations.map(({ name }) => [name, handler]));
  const served = host({ name: "styles", document, handlers });
  const baseUrl = "http://styles.invalid";
  const send = async (input: string | URL | Request, init?: RequestInit) => served.fetch(new Request(input, init));
  const client = createStylesClient({ baseUrl, fetch: send });
  const service = { name: "styles", document, baseUrl, credentials: {} };
  for (const { id, declared, shape, place } of [...ways, json]) {
    const operation = document.operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no ${id}.`);
    const taken = separators.find(([style]) => style.test(id))?.[1] ?? /$^/;
    const isStyled = declared !== undefined && ("explode" in declared || "style" in declared);
    const isJson = declared === undefined || (place === "form" && !isStyled && objects.includes(shape));
    const { [operation.name]: call } = client;
    const { failed, counterexample, errorInstance } = await fc.check(
      fc.asyncProperty(valuesOf(shape, taken), async (value) => {
        const expected = isJson || isSent(value) ? value : undefined;
        await call(place === "form" ? { v: value } : { query: { v: value } });
        expect(["client", seen]).toEqual(["client", expected]);
        const written: Parameters<typeof requestOf>[2] =
          place === "form"
            ? { body: { v: value } }
            : writeParameters(operation, { query: { v: value }, header: {}, cookie: {} });
        const { url, ...init } = await requestOf(service, operation, written);
        await send(url, { ...init, body: init.body ?? null });
        expect(["call", seen]).toEqual(["call", expected]);
      }),
      { numRuns: 20 },
    );
    if (failed) faults.push(`${id} ${JSON.stringify(counterexample)}: ${String(errorInstance).slice(0, 300)}`);
  }
  expect(faults).toEqual([]);
});
