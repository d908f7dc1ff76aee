import { expect, it } from "vitest";
import { documentOf, written, compile, connected, described, thing } from "../test/strange.ts";
import type { Schema } from "@trainyard/document/files";

it("reads the answers of success that are not JSON alone, by kind and status", async () => {
  const binary = { schema: { type: "string", format: "binary" } };
  const folder = await written(
    documentOf({
      "a.delete DELETE /deleted": { responses: { 204: described() } },
      "a.touch PUT /touched": { responses: { 200: described() } },
      "a.charset GET /charset": { responses: { 200: described({ "Application/JSON; charset=utf-8": thing }) } },
      "a.vendor GET /vendor": { responses: { 200: described({ "application/vnd.api+json": thing }) } },
      "a.several POST /several": {
        responses: {
          200: described({ "application/json": thing }),
          201: described({ "application/json": { schema: { type: "string" } } }),
          202: described(),
        },
      },
      "a.fallback GET /fallback": { responses: { default: described({ "application/json": thing }) } },
      "a.xml GET /xml": { responses: { 200: described({ "application/atom+xml": { schema: { type: "object" } } }) } },
      "a.bytes GET /bytes": { responses: { "2XX": described({ "image/png": binary }) } },
      "a.any GET /any": { responses: { 200: described({ "*/*": thing }) } },
      "a.events GET /events": { responses: { 200: described({ "text/event-stream": {} }) } },
    }),
  );
  const { client, http } = await connected(folder, ({ url, headers }, response) => {
    const [path, query] = url.split("?");
    const answers: Record<string, [status: number, type: string, body: string | Buffer]> = {
      "/deleted": [204, "", ""],
      "/touched": [200, "text/plain", "OK"],
      "/charset": [200, "application/json; charset=utf-8", '{"n":1}'],
      "/vendor": [200, "application/vnd.api+json", `{"n":"${headers.accept}"}`],
      "/several": [
        Number(headers["x-status"]),
        "application/json",
        headers["x-status"] === "201" ? '"made"' : '{"n":2}',
      ],
      "/fallback": [Number(headers["x-status"] ?? 200), "application/json", '{"n":3}'],
      "/xml": [200, "application/atom+xml", "<feed/>"],
      "/bytes": [200, "image/png", Buffer.from([0, 255, 128])],
      "/any": [200, String(headers["x-type"]), '{"n":4}'],
      "/events": [200, "text/event-stream", "event: news\ndata: 1\n\ndata: 2\n\n"],
    };
    const [status, type, body] = answers[path ?? ""] ?? [404, "", query ?? ""];
    response
      .writeHead(status, type ? { "content-type": type, "content-length": Buffer.byteLength(body) } : {})
      .end(body);
  });
  const a = client["a"] ?? {};
  const status = (code: number) => ({ headers: { "x-status": String(code) } });

  expect(await a["delete"]?.()).toBeUndefined();
  expect(await a["touch"]?.()).toBeUndefined();
  expect(await a["charset"]?.()).toEqual({ n: 1 });
  expect(await a["vendor"]?.()).toEqual({ n: "application/vnd.api+json, application/json" });
  expect(await a["several"]?.(status(200))).toEqual({ n: 2 });
  expect(await a["several"]?.(status(201)).withResponse()).toMatchObject({ data: "made", response: { status: 201 } });
  expect(await a["several"]?.(status(202))).toBeUndefined();
  expect(await a["fallback"]?.()).toEqual({ n: 3 });
  await expect(a["fallback"]?.(status(418))).rejects.toMatchObject({ status: 418 });
  expect(await a["xml"]?.()).toBe("<feed/>");
  const blob = await a["bytes"]?.();
  expect(blob).toMatchObject({ type: "image/png", size: 3 });
  const stream = await a["bytes"]?.({ as: "stream" });
  expect(Buffer.from(await new Response(stream as ReadableStream).arrayBuffer())).toEqual(Buffer.from([0, 255, 128]));
  const typed = (type: string) => ({ headers: { "x-type": type } });
  expect(await a["any"]?.(typed("application/hal+json"))).toEqual({ n: 4 });
  expect(await a["any"]?.(typed("text/html"))).toBe('{"n":4}');
  expect(await a["any"]?.(typed("application/pdf"))).toMatchObject({ size: 7, type: "application/pdf" });
  const events = [];
  const source = await a["events"]?.();
  for await (const event of source as AsyncIterable<object>) events.push(event);
  expect(events).toEqual([
    { type: "news", data: "1" },
    { type: "", data: "2" },
  ]);

  expect(await http["DELETE"]?.("/deleted")).toMatchObject({ data: undefined, response: { status: 204 } });
  expect((await http["PUT"]?.("/touched"))?.data).toBeUndefined();
  expect((await http["GET"]?.("/vendor"))?.data).toMatchObject({ n: expect.stringContaining("vnd.api") });
  expect((await http["GET"]?.("/bytes", { parseAs: "blob" }))?.data).toMatchObject({ size: 3 });
  expect((await http["GET"]?.("/events", { parseAs: "stream" }))?.data).toBeInstanceOf(ReadableStream);
  expect((await http["POST"]?.("/several", { headers: { "x-status": "200" } }))?.data).toEqual({ n: 2 });

  const program = `
import { createStrangeClient } from "./client.ts";
const { a } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
const nothing: void = await a.delete();
const several: { n: number } | string | undefined = await a.several();
const fallback: number = (await a.fallback()).n;
const xml: string = await a.xml();
const blob: Blob = await a.bytes();
const stream: ReadableStream<Uint8Array> = await a.bytes({ as: "stream" });
for await (const { data, type } of await a.events()) console.log(data.length, type.length);
console.log(nothing, several, fallback, xml, blob, stream, await a.any());
`;
  expect(await compile(folder, program)).toEqual([]);
});

it("writes types that compile for schemas that are unlike ours", async () => {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const kind = (value: string) => ({
    type: "object",
    properties: { kind: { type: "string" }, [value]: { type: "number" } },
  });
  const answer = (name: string) => described({ "application/json": { schema: reference(name) } });
  const folder = await written(
    documentOf(
      {
        "a.get GET /a": { responses: { 200: answer("All") } },
        "a.make POST /a": {
          requestBody: { content: { "application/json; charset=utf-8": { schema: reference("Sent") } } },
          responses: { 204: described(), 404: described({ "application/json": { schema: reference("None") } }) },
        },
        "a.paths GET /a/{list}/{flag}": {
          parameters: [
            { in: "path", name: "list", required: true, schema: { type: "array", items: { type: "integer" } } },
            { in: "path", name: "flag", required: true, schema: { type: ["boolean", "null"] } },
          ],
          responses: { 204: described() },
        },
        "a.find GET /a/{query}": {
          parameters: [
            { in: "path", name: "query", required: true, schema: { type: "string" } },
            { in: "query", name: "toString", schema: { type: "string", format: 5 } },
          ],
          responses: {
            200: described({
              "application/json": {
                schema: {
                  type: "object",
                  required: ["a"],
                  properties: {
                    a: true,
                    b: {
                      $ref: "#/paths/~1a~1%7Bquery%7D/get/responses/200/content/application~1json/schema/properties/a",
                    },
                  },
                },
              },
            }),
          },
        },
      },
      {
        Base: { type: "object", properties: { id: { type: "string" }, n: { type: "number" } } },
        All: {
          type: "object",
          properties: {
            b: false as unknown as Schema,
            kinds: reference("Kinds"),
            derived: { allOf: [reference("Base")], required: ["id"] },
            toString: { $ref: "#/components/schemas/Base/properties/n" },
            part: { $ref: "#/components/schemas/Sent/properties/bounded/items" },
            response: { $ref: "#/components/responses/None" },
            malformed: { type: "file", required: true, enum: {} as unknown as unknown[] } as unknown as Schema,
          },
        },
        Cat: kind("cat"),
        Dog: kind("dog"),
        Kinds: { oneOf: [reference("Cat"), reference("Dog")], discriminator: { propertyName: "kind" } },
        Sent: {
          type: "object",
          properties: {
            listed: { type: "array", enum: [["a"], ["b"]] },
            either: { type: "array", items: { type: "string" }, oneOf: [{ maxItems: 1 }, { minItems: 3 }] },
            pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2, maxItems: 2 },
            bounded: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
            nullable: { type: ["array", "null"], items: { type: "string" } },
          },
        },
      },
    ),
  );
  const program = `
import { createStrangeClient } from "./client.ts";
const { a } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
const { b, kinds, derived, toString, part } = await a.get();
const n: number | undefined = toString;
const text: string | undefined = part;
await a.paths({ list: [1, 2], flag: "true" });
const found: unknown = (await a.find("q", { query: { toString: "t" } })).a;
const never: undefined = b;
const id: string | undefined = derived?.id;
console.log(never, id, kinds, n, text, found);
await a.make({ either: ["x"] as const, bounded: ["x"] });
`;
  expect(await compile(folder, program)).toEqual([]);
});
