import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { OpenApiDocument } from "@trainyard/document/files";
import { compile, connected, described, documentOf, thing, written, type Strange } from "../test/strange.ts";

const whole = { schema: { type: "object", required: ["all"], properties: { all: { type: "string" } } } };
const bodyOf = (properties: object) => ({
  requestBody: { required: true, content: { "application/json": { schema: { type: "object", properties } } } },
});
const toggle = (stream: object) => bodyOf({ q: { type: "string" }, stream });
const answers = (content: object) => ({ responses: { 200: described(content) } });
const json = { "application/json": whole };
const sse = "text/event-stream";

/** A document without keys of ours beside the names of methods. */
const strange = (all: Strange): OpenApiDocument => {
  const { "x-trainyard": _, ...document } = documentOf(all);
  return document;
};

/** How an operation streams, by the name of its method. */
const operations = {
  "a.events POST /events": { ...toggle({ type: "boolean" }), ...answers({ ...json, [sse]: thing }) },
  "a.nullable POST /nullable": {
    ...toggle({ anyOf: [{ type: "boolean" }, { type: "null" }] }),
    ...answers({ ...json, [sse]: thing }),
  },
  "a.absent POST /absent": {
    ...toggle({ type: "boolean", default: true }),
    ...answers({ ...json, "application/x-ndjson": thing }),
  },
  "a.lines POST /lines": { ...toggle({ type: "boolean" }), ...answers({ ...json, "application/jsonl": thing }) },
  "a.alone GET /alone": answers({ [sse]: { itemSchema: thing.schema } }),
  "a.data GET /data": answers({ [sse]: { schema: { type: "object", properties: { data: thing.schema } } } }),
  "a.rows GET /rows": answers({ "application/x-ndjson": thing }),
};

const events = 'data: {"n":1}\n\ndata: {"n":2}\n\ndata: [DONE]\n\ndata: {"n":3}\n\n';
const lines = '{"n":1}\r\n\n{"n":2}';

it("types and reads the streams of documents that do not say how they stream", async () => {
  const folder = await written(strange(operations));
  const { client } = await connected(folder, ({ url, headers, body }, response) => {
    const asked = body.length > 0 ? JSON.parse(body.toString()).stream : true;
    const byLines = /lines|absent|rows/.test(url);
    if (asked === false || (asked === undefined && url !== "/absent")) {
      response.writeHead(200, { "content-type": "application/json" }).end('{"all":"1"}');
      return;
    }
    response.writeHead(200, { "content-type": String(headers.accept) }).end(byLines ? lines : events);
  });
  const all = async (name: string, ...given: unknown[]): Promise<unknown> => {
    const answer = (await client["a"]?.[name]?.(...given)) as object;
    if (!(Symbol.asyncIterator in answer)) return answer;
    const items: unknown[] = [];
    for await (const item of answer as AsyncIterable<unknown>) items.push(item);
    return items;
  };
  const items = [{ n: 1 }, { n: 2 }];
  for (const name of ["events", "nullable", "lines", "absent"]) {
    expect(await all(name, { stream: true })).toEqual(items);
    expect(await all(name, { stream: false })).toEqual({ all: "1" });
    expect(await all(name, {})).toEqual(name === "absent" ? items : { all: "1" });
  }
  for (const name of ["alone", "data", "rows"]) expect(await all(name)).toEqual(items);

  // Strangers get no type tests of ours, which know only streams by a boolean.
  rmSync(join(folder, "client.test-d.ts"));
  const program = `
import { createStrangeClient } from "./client.ts";
const { a } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
for (const name of ["events", "nullable", "lines"] as const) {
  for await (const { n } of await a[name]({ stream: true })) n satisfies number;
  (await a[name]({ stream: false })).all satisfies string;
  (await a[name]({ q: "" })).all satisfies string;
}
for await (const { n } of await a.absent({ q: "" })) n satisfies number;
(await a.absent({ stream: false })).all satisfies string;
for await (const { n } of await a.alone()) n satisfies number;
for await (const { n } of await a.data()) n satisfies number;
for await (const { n } of await a.rows()) n satisfies number;
// @ts-expect-error -- a stream has no whole answer
(await a.events({ stream: true })).all;
`;
  expect(await compile(folder, program)).toEqual([]);
});

it("keeps the query that a path has", async () => {
  const parameters = [{ in: "query", name: "limit", schema: { type: "integer" } }];
  const folder = await written(documentOf({ "a.beta GET /beta?beta=true": { parameters, ...answers(json) } }));
  const { client } = await connected(folder, ({ url }, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ all: url }));
  });
  const beta = client["a"]?.["beta"];
  expect(await beta?.()).toEqual({ all: "/beta?beta=true" });
  expect(await beta?.({ query: { limit: 3 } })).toEqual({ all: "/beta?beta=true&limit=3" });
});
